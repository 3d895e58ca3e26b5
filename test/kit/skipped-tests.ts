import type { TestEvent } from 'node:test/reporters';

/** A reporter that writes one line for each skipped test: its name and the reason. */
export default async function* skippedTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source)
    if (type === 'test:pass' && data.skip)
      yield `${data.name}: ${data.skip === true ? 'no reason' : data.skip}\n`;
}
