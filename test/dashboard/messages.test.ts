import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serviceMessages } from '../../dashboard/src/texts/de/service.ts';

// The language is chosen when the module is loaded.
Object.defineProperty(globalThis.navigator, 'languages', { value: ['de-AT', 'en'] });
const { t, translatedMessage } = await import('../../dashboard/src/lib/i18n.ts');

const filled = (template: string) => template.replace(/\{(\w+)\}/g, '<$1>');

it('Each message of the service is translated by its own template, with its values', () => {
  assert.equal(t('Contact'), 'Kontakt');
  for (const [template, translation] of Object.entries(serviceMessages))
    assert.equal(translatedMessage(filled(template)), filled(translation), template);
});

it('A message without a translation is left to the caller', () => {
  assert.equal(translatedMessage('No such message.'), undefined);
  assert.equal(translatedMessage('Before. is required.'), undefined);
  assert.equal(translatedMessage('is required. After.'), undefined);
});
