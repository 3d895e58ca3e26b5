import { Roster } from '../../../sdk/src/index.ts';

/** Creates, updates and deletes contacts through the SDK until it is disconnected, then reports how many writes it made. */
const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const roster = new Roster({ baseUrl, apiKey });
let isStopping = false;
process.on('message', () => {
  isStopping = true;
});

let writes = 0;
const created: string[] = [];
while (!isStopping) {
  const phone_number = `+1212${String(5_000_000 + writes)}`;
  const { id } = await roster.contacts.create({ phone_number, tags: ['noise'] });
  created.push(id);
  await roster.contacts.update(id, { company: `Company ${writes}` });
  const old = writes % 3 === 0 ? created.shift() : undefined;
  if (old) await roster.contacts.delete(old);
  writes++;
  if (writes === 1) process.send?.('started');
}
process.send?.(writes);
process.disconnect?.();
