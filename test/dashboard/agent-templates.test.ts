import assert from 'node:assert/strict';
import { it } from 'node:test';
import { agentTemplates, templateBlanksIn } from '../../dashboard/src/texts/agent-templates.ts';

it('Every word in brackets of every template is found until it is replaced', () => {
  for (const { id, instructions } of Object.values(agentTemplates).flat()) {
    const brackets = [...new Set(instructions.match(/\[.+?\]/g))];
    assert.ok(brackets.length > 0, id);
    assert.deepEqual(templateBlanksIn(instructions), brackets, id);
    const [first = '', ...others] = brackets;
    assert.deepEqual(templateBlanksIn(instructions.replaceAll(first, 'Example Ltd')), others, id);
  }
});

it('Brackets that no template contains belong to the author', () => {
  assert.deepEqual(templateBlanksIn('Say [pause], [our site](https://example.com), - [ ] done, [a]'), []);
  assert.deepEqual(templateBlanksIn('[company] and [company], then [pause] and [Firma]'), [
    '[company]',
    '[Firma]',
  ]);
});
