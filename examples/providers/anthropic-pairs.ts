import { type Json, list, object, Refused } from "./rules";

/** How Anthropic pairs calls and results, message by message. Says whether there were any. */
export function checkPairs(messages: unknown[]): boolean {
  const seen = new Set<string>();
  let open: string[] = [];
  let used = false;
  messages.forEach((message, index) => {
    const { content } = object(message);
    const blocks = list(content).map(object);
    used ||= blocks.some((block) => block.type === "tool_use" || block.type === "tool_result");
    answer(blocks, open, index);
    open = [];
    blocks.forEach((block, position) => {
      if (block.type !== "tool_use") return;
      const id = String(block.id);
      if (seen.has(id))
        throw new Refused(`messages.${index}.content.${position}: \`tool_use\` ids must be unique`);
      seen.add(id);
      open.push(id);
    });
  });
  if (open.length) throw unanswered(open, messages.length - 1);
  return used;
}

function answer(blocks: Json[], open: readonly string[], index: number): void {
  const answered = new Set<string>();
  let leading = true;
  blocks.forEach((block, position) => {
    if (block.type !== "tool_result") {
      leading = false;
      return;
    }
    const id = String(block.tool_use_id);
    const at = `messages.${index}.content.${position}`;
    if (!open.includes(id))
      throw new Refused(
        `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (answered.has(id))
      throw new Refused(
        `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    // a result behind other content does not count as standing "immediately after"
    if (leading) answered.add(id);
  });
  const missing = open.filter((id) => !answered.has(id));
  if (missing.length) throw unanswered(missing, index - 1);
}

const unanswered = (ids: readonly string[], index: number) =>
  new Refused(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
