/** One place where two values differ. */
export interface Difference {
  /** Keys from the root, joined by dots. A list whose items have ids is seen as its ids in order, and its items by id. */
  path: string;
  official: unknown;
  ours: unknown;
}

/** The smallest places in which two values as JSON differ. */
export function differences(official: unknown, ours: unknown, path = ""): Difference[] {
  const [left, right] = [byId(official), byId(ours)];
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right))
    return JSON.stringify(left) === JSON.stringify(right) ? [] : [{ path, official, ours }];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(left[key], right[key], path ? `${path}.${key}` : key));
}

function byId(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  const ids = value.map((item) => (isObject(item) ? item.id : undefined));
  if (ids.some((id) => typeof id !== "string") || new Set(ids).size < ids.length) return value;
  return { order: ids.join(" "), ...Object.fromEntries(value.map((item, at) => [ids[at], item])) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
