import type { StreamRow } from "../types";

/** The rows that one reader of a run has not taken yet. */
export class RowQueue {
  private rows: StreamRow[] = [];
  private ended = false;
  private wake = () => {};

  push(row: StreamRow): void {
    this.rows.push(row);
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  /** @param left Called when the reader has read everything or does not want more. */
  async *read(left: () => void): AsyncGenerator<StreamRow, void> {
    try {
      while (this.rows.length > 0 || !this.ended) {
        const taken = this.rows;
        this.rows = [];
        yield* taken;
        if (this.rows.length === 0 && !this.ended) await this.more();
      }
    } finally {
      left();
    }
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
