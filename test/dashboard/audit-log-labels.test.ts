import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fieldsText } from '../../dashboard/src/records/audit-log/labels.ts';

it('A changed field of the workspace is named by its label, and one without a label by its key', () => {
  const labels = new Map([
    ['budget', 'Yearly budget'],
    ['company', 'Not this one'],
  ]);
  const fields = ['company', 'fields.budget', 'fields.removed_one', 'deployed_version'];
  assert.equal(fieldsText(fields, labels), 'Company, Yearly budget, removed one, deployed version');
});
