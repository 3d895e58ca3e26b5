import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Maximum number of reads of a snapshot: with thousands of connections a turn of the event loop can last a second. */
const MAX_READS = 64;

/** Reads of one turn of the event loop share a transaction, so SQLite takes its locks once for all of them. */
export class SharedSnapshot {
  readonly #file: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #readVersion: StatementSync;
  #version = 0;
  #readsLeft = 0;

  constructor(file: DatabaseSync) {
    this.#file = file;
    this.#begin = file.prepare('begin');
    this.#end = file.prepare('commit');
    this.#readVersion = file.prepare('pragma data_version');
  }

  /** Call it before a read. Returns the version of the file that the read will see; it changes when any process writes. */
  enter(): number {
    if (this.#readsLeft > 0) {
      this.#readsLeft--;
      return this.#version;
    }
    this.leave();
    this.#begin.run();
    this.#version = Number(this.#readVersion.get()?.data_version);
    this.#readsLeft = MAX_READS;
    setImmediate(this.leave);
    return this.#version;
  }

  /** The next read sees what was written before. Call it after a write of this process. */
  readonly leave = (): void => {
    this.#readsLeft = 0;
    // A disk error ends a transaction, and the file may be closed.
    if (this.#file.isOpen && this.#file.isTransaction) this.#end.run();
  };
}
