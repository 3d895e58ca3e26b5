import { type Copy, filledFile } from './databases.ts';
import { measureDisturbed } from './disturbed.ts';
import { load, type Sample } from './load.ts';
import { processorTime } from './processor-time.ts';
import { ratioOf, runRounds, spreadOf, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { residentMb, type Server, startRoster } from './server.ts';
import { CONNECTIONS, FURTHER_THREADS } from './settings.ts';
import type { Figure } from './targets.ts';
import { printFigure, rateText } from './texts.ts';
import { stormTraffic, trafficByName } from './works.ts';

const startThreads = ({ path }: Copy, threads: number): Promise<Server> =>
  startRoster(`sqlite:${path}`, { environment: { SERVE_THREADS: `${threads}` } });

/** A sample with the processor time of the service per request in microseconds. */
type CpuSample = Sample & { readonly cpu: number };

const measuring =
  ({ url, pid }: Server, filled: Copy) =>
  async (seconds: number): Promise<CpuSample> => {
    const before = processorTime(pid);
    const sample = await load(url, trafficByName.get(filled), { connections: CONNECTIONS, seconds });
    return { ...sample, cpu: (processorTime(pid) - before) / sample.requests };
  };

/** The memory of each further thread after the same load. */
const measureMemory = async (filled: Copy, seconds: number): Promise<Figure> => {
  const memory = async (threads: number) => {
    const server = await startThreads(filled, threads);
    await measuring(server, filled)(seconds);
    const mb = residentMb(server.pid, 'VmRSS');
    await server.stop();
    return mb;
  };
  const values: number[] = [];
  for (let round = 0; round < 3; round++)
    values.push(((await memory(1 + FURTHER_THREADS)) - (await memory(1))) / FURTHER_THREADS);
  return { name: 'threads.memory', value: spreadOf(values), facts: {} };
};

/** Two serving threads compared with one, both on the same file. */
export const measureThreads = async (run: Run): Promise<Figure[]> => {
  const { settings, folder, wants } = run;
  if (!wants('threads.get')) return [];
  const filled = await filledFile({ contacts: settings.contacts, neighbours: 0 }, folder);
  const one = await startThreads(filled, 1);
  const otherFile = await filledFile({ contacts: settings.contacts, neighbours: 0 }, folder, 'two');
  const two = await startThreads(otherFile, 2);
  const rounds = await runRounds(
    { one: measuring(one, filled), two: measuring(two, otherFile) },
    settings.rounds,
  );
  const rate = (which: 'one' | 'two') => `${rateText(spreadOver(rounds, which, 'rate').median)} /s`;
  const cpus = rounds.map(({ one, two }) => ({ one: (one as CpuSample).cpu, two: (two as CpuSample).cpu }));
  const cpu = (which: 'one' | 'two') => `${spreadOf(cpus.map((each) => each[which])).median.toFixed(0)} µs`;
  const figures: Figure[] = [
    {
      name: 'threads.get',
      value: ratioOf(rounds, { of: 'two', to: 'one', by: 'rate' }),
      facts: { 'one thread': rate('one'), 'two threads': rate('two') },
    },
    {
      name: 'threads.cpu',
      value: spreadOf(cpus.map(({ one, two }) => two / one)),
      facts: { 'one thread': cpu('one'), 'two threads': cpu('two') },
    },
  ];
  await one.stop();
  const storm = await measureDisturbed('threads.storm', run, {
    served: { server: two, filled: otherFile },
    otherTraffic: stormTraffic(otherFile),
  });
  await two.stop();
  const memory = await measureMemory(filled, settings.rounds.seconds);
  for (const { name, value } of [...figures, memory]) printFigure(name, value);
  return [...figures, ...storm, memory];
};
