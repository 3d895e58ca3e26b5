import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Operation } from '../storage.ts';
import { openFile, SqliteDb } from './connection.ts';
import { packError, type Question, type Reply, type ThreadData } from './protocol.ts';
import { Writer } from './writer.ts';

type Answer = (questions: readonly Question[]) => Promise<Reply[]>;

/** Serves the operations of a thread of the database: the one that writes, or one of those that read. */
export const serveThread = (operations: readonly Operation[]): void => {
  const { path, role } = workerData as ThreadData;
  const port = parentPort as MessagePort;
  const named = new Map(operations.map((operation) => [operation.name, operation]));
  const find = (name: string): Operation => {
    const operation = named.get(name);
    if (!operation) throw new Error(`operations.ts does not list ${name}`);
    return operation;
  };
  const answer = role === 'writer' ? writing(path, find) : reading(path, find);

  let busy = false;
  port.on('message', async (first: Question[]) => {
    // What arrived while the last commit was flushed is taken up together.
    backlog.push(...first);
    if (busy) return;
    busy = true;
    while (backlog.length > 0) {
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        backlog.push(...next.message);
      port.postMessage(await answer(backlog.splice(0)));
    }
    busy = false;
  });
  const backlog: Question[] = [];
  port.postMessage('ready');
};

const writing = (path: string, find: (name: string) => Operation): Answer => {
  const writer = new Writer(openFile(path));
  return async (questions) => {
    const outcomes = await writer.run(
      questions.map(([, name, who, input]) => ({ operation: find(name), who, input })),
    );
    return outcomes.map((outcome, at) => reply(questions[at] as Question, outcome));
  };
};

const reading = (path: string, find: (name: string) => Operation): Answer => {
  const db = new SqliteDb(openFile(path, { readOnly: true }));
  const answerOne = async (question: Question): Promise<Reply> => {
    const [, name, who, input] = question;
    try {
      return reply(question, { value: await find(name)(db, who, input) });
    } catch (error) {
      return reply(question, { error });
    }
  };
  return (questions) => Promise.all(questions.map(answerOne));
};

const reply = ([id]: Question, outcome: { value: unknown } | { error: unknown }): Reply =>
  'error' in outcome ? [id, true, packError(outcome.error)] : [id, false, outcome.value];
