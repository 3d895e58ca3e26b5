import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesWith, parseTemplate, partsOf } from '../../dashboard/src/api/placeholders.gen.ts';
import { gapsOf } from '../../dashboard/src/pages/agents/playground/gaps.ts';

test('Placeholders without a value are listed once, with their lines and what the runtime gets', () => {
  const template = parseTemplate('{{first_name}} {{plan}}\n{{plan}} {{plan}}\n\n{{slot|noon}} {{nobody}}');
  const names = namesWith(['plan'], ['slot']);
  const parts = partsOf(template, (name) => (name === 'first_name' ? 'Ada\nLovelace' : ''), names);
  assert.deepEqual(gapsOf(template, parts), [
    { written: '{{plan}}', kind: 'missing', gets: '', lines: [1, 2] },
    { written: '{{slot|noon}}', kind: 'fallback', gets: 'noon', lines: [4] },
    { written: '{{nobody}}', kind: 'unknown', gets: '{{nobody}}', lines: [4] },
  ]);
});
