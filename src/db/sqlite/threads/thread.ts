import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { packError } from '../../../lib/error-transport.ts';
import type { Operation } from '../../storage.ts';
import { openFile, SqliteDb } from '../connection.ts';
import { asUnavailable, isBroken } from '../errors.ts';
import { keepLogShort } from '../wal-checkpoint.ts';
import { type Outcome, Writer } from '../writer.ts';
import { stepBack } from './priority.ts';
import type { Question, Reply, ThreadData } from './protocol.ts';

interface Role {
  /** How many questions are answered together, if so many wait. */
  readonly together: number;
  answer(questions: readonly Question[]): Promise<Outcome[]>;
  close(): void;
}

type Find = (name: string) => Operation;

const WRITER_CACHE_MB = 16;

/** Serves the operations of a thread of the database: the one that writes, or one of those that read. */
export const serveThread = (operations: readonly Operation[]): void => {
  const { path, role } = workerData as ThreadData;
  const port = parentPort as MessagePort;
  const named = new Map(operations.map((operation) => [operation.name, operation]));
  const find: Find = (name) => {
    const operation = named.get(name);
    if (!operation) throw new Error(`operations.ts does not list ${name}`);
    return operation;
  };
  const { together, answer, close } = role === 'writer' ? writing(path, find) : reading(path, find);

  const backlog: Question[] = [];
  let busy = false;
  let closing = false;
  const take = (message: Question[] | 'close') => {
    if (message === 'close') closing = true;
    else backlog.push(...message);
  };
  port.on('message', async (first: Question[] | 'close') => {
    take(first);
    if (busy) return;
    busy = true;
    while (backlog.length > 0) {
      // What arrived while the last commit was flushed is taken up together.
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message);
      const questions = backlog.splice(0, together);
      const outcomes = await answer(questions);
      port.postMessage(outcomes.map((outcome, at) => reply(questions[at] as Question, outcome)));
      // A failed flush leaves it open what is on the disk. The next thread looks at the file with new eyes.
      if (outcomes.some((outcome) => 'error' in outcome && isBroken(outcome.error))) process.exit();
    }
    busy = false;
    if (closing) {
      close();
      port.close();
    }
  });
  port.postMessage('ready');
};

const writing = (path: string, find: Find): Role => {
  const file = openFile(path, { cacheMb: WRITER_CACHE_MB });
  const writer = new Writer(file);
  const log = keepLogShort(file);
  return {
    together: Number.POSITIVE_INFINITY,
    answer: async (questions) => {
      const outcomes = await writer.run(
        questions.map(([, name, who, input]) => ({ operation: find(name), who, input })),
      );
      log.written();
      return outcomes;
    },
    close: () => {
      log.close();
      file.close();
    },
  };
};

const reading = (path: string, find: Find): Role => {
  stepBack();
  const file = openFile(path, { readOnly: true });
  const db = new SqliteDb(file);
  const answerOne = async ([, name, who, input]: Question): Promise<Outcome> => {
    try {
      return { value: await find(name)(db, who, input) };
    } catch (error) {
      return { error: asUnavailable(error) };
    }
  };
  return {
    // Nobody's answer waits for a search that came after it.
    together: 1,
    answer: (questions) => Promise.all(questions.map(answerOne)),
    close: () => file.close(),
  };
};

const reply = ([id]: Question, outcome: Outcome): Reply =>
  'error' in outcome ? [id, true, packError(outcome.error)] : [id, false, outcome.value];
