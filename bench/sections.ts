import { COMMON_NAME, RARE_COUNT, RARE_NAME, TAG } from './people.ts';
import { pgbench } from './pgbench.ts';
import type { RoundOptions } from './rounds.ts';
import { CONNECTIONS, FURTHER_THREADS, type Settings } from './settings.ts';
import { type Figure, type FigureName, targets } from './targets.ts';

/** A section of the report. */
export interface Section {
  readonly title: string;
  readonly lead: string;
  /** The name of its chart's file. */
  readonly chart?: string;
  readonly figures: readonly Figure[];
  /** What could not be measured, and why. */
  readonly left?: string;
  /** A further table. */
  readonly table?: string;
}

const lasting = ({ rounds, seconds, warmUp }: RoundOptions) =>
  `${rounds} rounds of ${seconds} s after a warm-up of ${warmUp} s`;
const many = (count: number) => count.toLocaleString('en');

/** The figures of a section, by the prefixes of their names. */
const among = (figures: readonly Figure[], ...names: string[]) =>
  (Object.keys(targets) as FigureName[])
    .filter((name) => names.some((each) => name === each || name.startsWith(`${each}.`)))
    .flatMap((name) => figures.filter((figure) => figure.name === name));

/** Groups the figures into the sections of the report, without sections that have none. */
export const sectionsOf = (figures: readonly Figure[], settings: Settings, stepTable?: string): Section[] => {
  const { contacts, small, large, neighbours, deepOffset } = settings;
  const term = COMMON_NAME.toLowerCase();
  const sections: Section[] = [
    {
      title: 'The embedded engine, as a share of the limit',
      lead: `${many(contacts)} contacts, ${CONNECTIONS} connections, ${lasting(settings.rounds)}. Gets read contacts from the whole list, the page with a tag those with \`${TAG}\`, which one contact in ten has. Searches use 4,096 first and last names, each of which matches about one contact in 4,096; the repeated search is for \`${term}\`, which one in 256 has. A create is flushed to disk before it is answered (\`synchronous=FULL\`).`,
      chart: 'limit',
      figures: among(figures, 'get', 'list', 'tag', 'search', 'agent', 'create'),
    },
    {
      title: 'PostgreSQL, against plain and pgbench',
      lead: `The same contacts and connections, ${lasting(settings.shortRounds)}; the server runs on the same machine and is reached over its local socket. Roster and plain have ten connections each (Roster two more for short reads), and so has \`pgbench\`, which only runs the statements that Roster sends for the same request, prepared where Roster prepares them.`,
      chart: 'postgres',
      figures: among(figures, 'pg'),
      ...(!pgbench && { left: 'This machine has no `pgbench`.' }),
    },
    {
      title: 'Contacts for machines',
      lead: `Rates of what a program uses to synchronize contacts, with ${many(contacts)} contacts, ${CONNECTIONS} connections, ${lasting(settings.shortRounds)}: an upsert by phone number and a create; contacts that one client creates in batches of 1,000 and one by one; the first page of a cursor and one at nine tenths of the list, while a contact is created every 10 ms; and the first page of the events and one at nine tenths of them.`,
      figures: among(figures, 'machines'),
    },
    {
      title: 'Fields and rendered instructions',
      lead: `Rates with ${many(2 * contacts)} contacts, ${CONNECTIONS} connections, ${lasting(settings.shortRounds)}: a create with five fields, of which two are filterable, and one without; a rendering of 2 KB, and a get of a contact; claims of ten contacts in a campaign in which all are enrolled, with rendered instructions and without; and sessions with a rendering of 2 KB, and gets. Renderings, sessions and gets are of contacts from the whole list.`,
      figures: among(figures, 'personal'),
    },
    {
      title: 'Filters',
      lead: `With ${many(large)} contacts: the p99 of one client that requests the first page of a filter by cursor, as a multiple of that of the first page of all contacts, ${lasting(settings.shortRounds)}; a contact is created every 10 ms. Two contacts of 2,000 have the value, 100 of 1,000,000 have a number of the country.`,
      figures: among(figures, 'filters'),
    },
    {
      title: 'Webhooks',
      lead: `Rates at which a backlog of events is signed and delivered to a receiver on the same machine, ${CONNECTIONS} at a time, with its log and its results in the database; ${lasting(settings.shortRounds)}. They are compared with a loop of bare \`http.request\` on keep-alive connections to the same receiver, and with a backlog of ${many(large)} events instead of 10,000. The processor time is that of the service for one delivery.`,
      figures: among(figures, 'webhooks'),
    },
    {
      title: 'As the data grows',
      lead: `The p99 with ${many(large)} contacts in one workspace, as a multiple of that with ${many(small)}, both next to ${many(neighbours)} other workspaces; ${CONNECTIONS} connections, ${lasting(settings.shortRounds)}. The search is for \`${RARE_NAME.toLowerCase()}\`, which ${RARE_COUNT} contacts contain in both.`,
      chart: 'growth',
      figures: among(figures, 'growth.get', 'growth.list', 'growth.tag', 'growth.search', 'growth.create'),
    },
    {
      title: 'Expensive queries',
      lead: `With ${many(large)} contacts: the p99 of one client that requests offset ${many(deepOffset)}, or searches for two letters (\`zo\`), as a multiple of the first page.`,
      figures: among(figures, 'growth.deep', 'growth.short'),
    },
    {
      title: 'While others are busy',
      lead: `Gets with ${many(large)} contacts, undisturbed and disturbed in turns: by eight clients that search without a pause, with many matches, few matches and two letters; and by eight that create contacts while strace delays every flush to disk by 10 ms.`,
      figures: among(figures, 'storm', 'flush'),
      ...(among(figures, 'flush').length === 0 && {
        left: 'This machine has no `strace`, which delays flushes.',
      }),
    },
    {
      title: 'Processor time by step',
      lead: `The processor time of one request with ${many(contacts)} contacts and ${CONNECTIONS} connections, by the steps of a processor profile of the sources. \`npm run bench -- --only steps\` repeats it. The profile gives the shares; the times are those of the thread without the profiler. *Before* is the version before the creates of a commit ran together (decision 0078), on the same machine.`,
      figures: among(figures, 'steps'),
      ...(stepTable !== undefined && { table: stepTable }),
    },
    {
      title: 'Serving threads',
      lead: `Gets with ${many(contacts)} contacts, one and two serving threads in turns, ${CONNECTIONS} connections, ${lasting(settings.rounds)}; the processor time is that of the whole service. The burst of searches is that of the table above, with two serving threads. The memory is what ${FURTHER_THREADS} further threads add after gets of ${settings.rounds.seconds} s, divided by ${FURTHER_THREADS}.`,
      figures: among(figures, 'threads'),
    },
    {
      title: 'The SDK, against bare fetch',
      lead: `Processor time of a client per request, as a multiple of that of a client which only calls \`fetch\`, checks the status and parses the JSON. Both run in one process, in turns, with 16 requests at a time.`,
      figures: among(figures, 'sdk'),
    },
    {
      title: 'Memory and start',
      lead: `With ${many(large)} contacts: resident memory a minute after the last request, its maximum in the measurements above, and the time from the start of the process to the first page.`,
      figures: among(figures, 'memory', 'start'),
    },
  ];
  return sections.filter((section) => section.figures.length > 0);
};
