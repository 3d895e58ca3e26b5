import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer } from './growth.ts';
import { load } from './load.ts';
import { ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure } from './targets.ts';
import { msText, printFigure, rateText } from './texts.ts';
import { stormTraffic, type Traffic, trafficByName } from './works.ts';

/** The number of disturbing clients, and how long they run before the measurement. */
const OTHER_CONNECTIONS = 8;
const LEAD_MS = 500;

/** Gets, undisturbed and while another process sends other requests. */
export const measureDisturbed = async (
  which: 'storm' | 'flush' | 'threads.storm',
  run: Run,
  { served: { server, filled }, otherTraffic }: { served: BenchServer; otherTraffic: Traffic },
): Promise<Figure[]> => {
  const undisturbed = (seconds: number) =>
    load(server.url, trafficByName.get(filled), { connections: CONNECTIONS, seconds });
  const disturbed = async (seconds: number) => {
    const others = load(server.url, otherTraffic, { connections: OTHER_CONNECTIONS, seconds: seconds + 1 });
    await sleep(LEAD_MS);
    const [sample] = await Promise.all([undisturbed(seconds), others]);
    return sample;
  };
  const rounds = await runRounds({ calm: undisturbed, disturbed }, run.settings.shortRounds);
  const pair = (by: 'rate' | 'p99', text: (value: number) => string) => ({
    calm: text(spreadOver(rounds, 'calm', by).median),
    disturbed: text(spreadOver(rounds, 'disturbed', by).median),
  });
  const figures: Figure[] = [
    {
      name: `${which}.rate`,
      value: ratioOf(rounds, { of: 'disturbed', to: 'calm', by: 'rate' }),
      facts: pair('rate', (rate) => `${rateText(rate)} /s`),
    },
    {
      name: `${which}.p99`,
      value: ratioOf(rounds, { of: 'disturbed', to: 'calm', by: 'p99' }),
      facts: pair('p99', msText),
    },
  ];
  for (const { name, value } of figures) printFigure(name, value);
  return figures;
};

/** During a burst of searches in the large workspace. */
export const measureStorm = (run: Run, served: BenchServer): Promise<Figure[]> =>
  measureDisturbed('storm', run, { served, otherTraffic: stormTraffic(served.filled) });

/** While contacts are created and every flush to disk is delayed; strace has started the service. */
export const measureFlush = (run: Run, served: BenchServer): Promise<Figure[]> =>
  measureDisturbed('flush', run, { served, otherTraffic: trafficByName.create(served.filled) });
