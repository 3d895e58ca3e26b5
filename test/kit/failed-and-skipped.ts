import type { TestEvent } from 'node:test/reporters';

/** What the reporter writes, as JSON, one per line. */
export type Finding = { readonly failedFile: string } | { readonly skippedTest: string };

const findingOf = ({ type, data }: TestEvent): Finding | undefined => {
  if (type === 'test:summary' && data.file && !data.success) return { failedFile: data.file };
  if (type === 'test:pass' && data.skip)
    return { skippedTest: `${data.name}: ${data.skip === true ? 'no reason' : data.skip}` };
};

/** A reporter of the files with a failed test, and of the skipped tests with their reasons. It is one reporter, because Node warns of
 *  too many listeners from the third on. */
export default async function* failedAndSkipped(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const finding = findingOf(event);
    if (finding) yield `${JSON.stringify(finding)}\n`;
  }
}
