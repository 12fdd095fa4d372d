/**
 * A short name for a text, the same in every process: 104 bits as hex digits. Not for secrets; made of plain
 * arithmetic, since this code must also run where `node:crypto` is not.
 */
export function digest(text: string): string {
  return half(text, 0x9e3779b1) + half(text, 0x85ebca77);
}

function half(text: string, seed: number): string {
  let low = 0xdeadbeef ^ seed;
  let high = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  const mixedLow = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const mixedHigh = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (
    (mixedHigh >>> 0).toString(16).padStart(8, "0").slice(3) + (mixedLow >>> 0).toString(16).padStart(8, "0")
  );
}
