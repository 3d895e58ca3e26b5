import type { TestEvent } from 'node:test/reporters';

/** A reporter that writes the paths of the files with a failed test, one per line. */
export default async function* failedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source)
    if (type === 'test:summary' && data.file && !data.success) yield `${data.file}\n`;
}
