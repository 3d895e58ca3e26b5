import { onInterrupt } from '../lib/interrupt.ts';
import type { Command, ParsedArgs } from './command.ts';
import { FEED_OPTIONS, readConnection } from './feed.options.ts';
import { type FeedEvent, openFeed, TYPE_WIDTH } from './feed.ts';
import { printError, printStyled, printText, type StyledText } from './output.ts';

const COLORS: Readonly<Record<string, StyledText['format']>> = {
  created: 'green',
  recorded: 'green',
  deployed: 'green',
  deleted: 'red',
  disabled: 'red',
};

const line = ({ timestamp, type, subject_id, changed, actor }: FeedEvent): StyledText[] => [
  { text: timestamp, format: 'gray' },
  { text: type.padEnd(TYPE_WIDTH), format: COLORS[type.split('.')[1] ?? ''] ?? 'yellow' },
  { text: subject_id },
  ...(changed?.length ? [{ text: changed.join(','), format: 'cyan' } as const] : []),
  { text: `by ${actor}`, format: 'gray' },
];

const startOf = (after: string | null): string => {
  if (after === 'latest') return 'from now on (--after oldest begins with the first stored event)';
  return after === null ? 'from the first stored event' : `after ${after}`;
};

const tail = async (args: ParsedArgs): Promise<void> => {
  const connection = readConnection(args);
  const once = args.flag('once');
  const payload = args.json ? 'snapshot' : 'thin';
  let last = '';
  const removeHandler = onInterrupt(() => {
    if (last) printError(`\nTo continue after the last event: --after ${last}\n`);
  });
  try {
    const events = await openFeed({ ...connection, payload, once });
    const from = `${connection.url}, ${startOf(connection.after)}`;
    if (!once) printError(`Following the events of ${from}. Press Ctrl+C to stop.\n`);
    for await (const event of events) {
      last = event.id;
      if (args.json) printText(`${event.json}\n`);
      else printStyled(line(event));
    }
  } finally {
    removeHandler();
  }
};

export const eventsCommand: Command = {
  forms: {
    'roster events tail [--url URL] [--after ID|latest|oldest] [--types TYPE,…] [--once] [--json]': [
      'Prints each event of a running service as it happens. Reads an API key from ROSTER_KEY.',
      tail,
    ],
  },
  options: {
    ...FEED_OPTIONS,
    once: 'Print the events that exist, and exit.',
    json: 'Print each event as one line of JSON, with its data.',
  },
};
