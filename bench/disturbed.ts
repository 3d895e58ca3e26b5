import { setTimeout as sleep } from 'node:timers/promises';
import { sayFigure } from './figure-progress.ts';
import type { Served } from './growth.ts';
import { load } from './load.ts';
import { inRounds, ratioOf, shown } from './rounds.ts';
import type { Run } from './run.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure } from './targets.ts';
import { msText, rateText } from './texts.ts';
import { stormOf, type Traffic, works } from './works.ts';

/** The number of disturbing clients, and how long they run before the measurement. */
const DISTURBING = 8;
const AHEAD_MS = 500;

/** Gets, undisturbed and while another process sends other requests. */
const measureDisturbed = async (
  which: 'storm' | 'flush',
  run: Run,
  { served: { server, filled }, disturbing }: { served: Served; disturbing: Traffic },
): Promise<Figure[]> => {
  const calm = (seconds: number) =>
    load(server.url, works.get(filled), { connections: CONNECTIONS, seconds });
  const disturbed = async (seconds: number) => {
    const others = load(server.url, disturbing, { connections: DISTURBING, seconds: seconds + 1 });
    await sleep(AHEAD_MS);
    const [sample] = await Promise.all([calm(seconds), others]);
    return sample;
  };
  const rounds = await inRounds({ calm, disturbed }, run.settings.shortRounds);
  const pair = (by: 'rate' | 'p99', text: (value: number) => string) => ({
    calm: text(shown(rounds, 'calm', by).median),
    disturbed: text(shown(rounds, 'disturbed', by).median),
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
  for (const { name, value } of figures) sayFigure(name, value);
  return figures;
};

/** During a burst of searches in the large workspace. */
export const measureStorm = (run: Run, served: Served): Promise<Figure[]> =>
  measureDisturbed('storm', run, { served, disturbing: stormOf(served.filled) });

/** While contacts are created and every flush to disk is delayed; strace has started the service. */
export const measureFlush = (run: Run, served: Served): Promise<Figure[]> =>
  measureDisturbed('flush', run, { served, disturbing: works.create(served.filled) });
