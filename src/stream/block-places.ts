import { isRecord } from "../messages/json";

interface Placed {
  type: unknown;
  id: unknown;
  place: number;
}

/**
 * Finds the places that the blocks of a chunk will have in the content of the whole message, as LangChain merges
 * chunks: by index, or by id where there is none; what merges with nothing is appended. The ids of reasoning blocks
 * that have none of their own are made of these places.
 */
export type BlockPlaces = (content: unknown) => number[];

export function createBlockPlaces(): BlockPlaces {
  const byIndex = new Map<unknown, Placed[]>();
  const byId = new Map<unknown, number>();
  let size = 0;
  let isList = false;

  const append = (block: unknown): number => {
    const place = size;
    size += 1;
    if (!isRecord(block)) return place;
    const { index, id, type } = block;
    if (isIndex(index)) byIndex.set(index, [...(byIndex.get(index) ?? []), { type, id, place }]);
    else if (id) byId.set(id, place);
    return place;
  };

  const merge = (block: unknown): number => {
    if (!isRecord(block)) return append(block);
    const { index, id, type } = block;
    const same = isIndex(index)
      ? byIndex
          .get(index)
          ?.find((other) => sameType(other.type, type) && (!other.id || !id || other.id === id))
      : undefined;
    if (same) {
      same.id ??= id;
      return same.place;
    }
    const known = !isIndex(index) && id ? byId.get(id) : undefined;
    if (known !== undefined) return known;
    return block.text === "" ? size : append(block);
  };

  return (content) => {
    if (Array.isArray(content)) {
      // A first list is taken as it is; later ones are merged into it block by block.
      const places = content.map(isList ? merge : append);
      isList = true;
      return places;
    }
    // Texts in a row are one block; behind blocks, each is a block of its own.
    if (typeof content === "string" && content !== "" && (isList || size === 0)) size += 1;
    return [];
  };
}

function isIndex(index: unknown): boolean {
  return typeof index === "number" || typeof index === "string";
}

function sameType(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string") return true;
  return left.replace(/_delta$/, "") === right.replace(/_delta$/, "");
}
