import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Operation } from '../storage.ts';
import { openFile, SqliteDb } from './connection.ts';
import { asUnavailable } from './faults.ts';
import { keepLogShort } from './log.ts';
import { packError, type Question, type Reply, type ThreadData } from './protocol.ts';
import { Writer } from './writer.ts';

interface Role {
  answer(questions: readonly Question[]): Promise<Reply[]>;
  close(): void;
}

type Find = (name: string) => Operation;

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
  const { answer, close } = role === 'writer' ? writing(path, find) : reading(path, find);

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
      port.postMessage(await answer(backlog.splice(0)));
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
  const file = openFile(path);
  const writer = new Writer(file);
  const log = keepLogShort(file);
  return {
    answer: async (questions) => {
      const outcomes = await writer.run(
        questions.map(([, name, who, input]) => ({ operation: find(name), who, input })),
      );
      log.written();
      return outcomes.map((outcome, at) => reply(questions[at] as Question, outcome));
    },
    close: () => {
      log.close();
      file.close();
    },
  };
};

const reading = (path: string, find: Find): Role => {
  const file = openFile(path, { readOnly: true });
  const db = new SqliteDb(file);
  const answerOne = async (question: Question): Promise<Reply> => {
    const [, name, who, input] = question;
    try {
      return reply(question, { value: await find(name)(db, who, input) });
    } catch (error) {
      return reply(question, { error: asUnavailable(error) });
    }
  };
  return { answer: (questions) => Promise.all(questions.map(answerOne)), close: () => file.close() };
};

const reply = ([id]: Question, outcome: { value: unknown } | { error: unknown }): Reply =>
  'error' in outcome ? [id, true, packError(outcome.error)] : [id, false, outcome.value];
