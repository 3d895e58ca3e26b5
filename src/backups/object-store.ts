/** A backup could not be written or read. Commands print its message without a stack. */
export class BackupError extends Error {}

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** Objects by name in a folder or under a prefix of a bucket, without those in subfolders. */
export interface ObjectStore {
  /** Whether the store compares what it has received with checksums. */
  readonly verifiesWrites: boolean;
  list(): Promise<StoredObject[]>;
  /** The object appears under its name only when it is complete. `maxBytes` is an upper estimate of its size. */
  write(name: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void>;
  /** Throws a `BackupError` if there is no such object. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Succeeds if there is no such object. */
  remove(name: string): Promise<void>;
}
