import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Zoë', 'Ida', 'Noor', 'Émile'];
const LAST = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Nguyen',
  'Okafor',
  'Silva',
  'Ito',
];

/** The numbers belong to no one: the country code 1 has no area code that begins with 0. */
const rowAt = (at: number) => {
  const [first, last] = [FIRST[at % 10], LAST[Math.floor(at / 10) % 10]];
  const phone = `+10${String(at).padStart(9, '0')}`;
  return `${phone},${first},${last},person${at}@example.com,Company ${at % 5_000},"Met at fair ${at % 40}, asked for a call",group ${at % 20}\n`;
};

/** Writes a file of contacts without duplicates. Their numbers begin at `first`. */
export const writeFileOf = async (path: string, rows: number, first = 0): Promise<void> => {
  const file = createWriteStream(path);
  file.write('Phone,First Name,Last Name,Email,Company,Notes,Tags\n');
  for (let at = 0; at < rows; at += 1_000) {
    const end = Math.min(at + 1_000, rows);
    const chunk = Array.from({ length: end - at }, (_, each) => rowAt(first + at + each)).join('');
    if (!file.write(chunk)) await once(file, 'drain');
  }
  await finished(file.end());
};
