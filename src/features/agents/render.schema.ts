import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { contactCreate, MAX_CRM_ID, MAX_CRM_IDS, MAX_CRM_NAME } from '../contacts/contact.schema.ts';
import { agentUpdate } from './agent.schema.ts';
import { configProperties } from './config.schema.ts';
import { variableMap } from './variable.schema.ts';

const time = v.nullable(v.dateTime());
const text = v.nullable(v.text({ max: 255 }));

/** A contact that need not exist, as it is written or as it was read. */
const describedContact = v.object(
  {
    ...contactCreate.fields,
    id: text,
    source: text,
    first_contact_at: time,
    last_contact_at: time,
    created_at: time,
    updated_at: time,
    crm_ids: v.mapOf(v.text({ min: 1, max: MAX_CRM_NAME }), v.text({ max: MAX_CRM_ID }), MAX_CRM_IDS),
  },
  { title: 'RenderedContactInput' },
);
export type DescribedContact = ReturnType<typeof describedContact.read>;

const WAYS = ['contact_id', 'phone_number', 'contact'] as const;

export const renderBody = v.object(
  {
    contact_id: v.text({ max: 255, schema: { description: 'The id of a contact.' } }),
    phone_number: v.text({
      max: 64,
      schema: { description: "A contact's international number, in any format.", examples: ['+14155550100'] },
    }),
    contact: v.described(v.nested(describedContact), 'A contact that need not exist.'),
    variables: v.described(variableMap, 'Values by name, such as those of an enrollment.'),
    instructions: v.described(
      agentUpdate.fields.instructions,
      "A text to render instead of the version's, such as one that is not saved yet.",
    ),
  },
  {
    title: 'RenderInput',
    schema: { oneOf: WAYS.map(s.having) },
    check: (value) =>
      WAYS.filter((name) => name in value).length === 1
        ? []
        : [
            {
              field: 'contact_id',
              message: `is needed, or else one of phone_number and contact. Send exactly one.`,
            },
          ],
  },
);
export type RenderInput = ReturnType<typeof renderBody.read>;

const string = s.string();

export const renderingProperties: Record<string, s.JsonSchema> = {
  sha256: s.string('The SHA-256 of the text in UTF-8, in hexadecimal digits.'),
  holes: s.list(string, 'Known names without a value and without a fallback. They are empty in the text.'),
};

export const renderingResponse = s.object('Rendering', {
  text: s.string('The rendered instructions.'),
  used: s.mapOf(string, 'The values that were inserted, by the name in the placeholder.'),
  ...renderingProperties,
  version: s.object('RenderedVersion', { id: string, version_label: string }),
  config: configProperties.config as s.JsonSchema,
});
