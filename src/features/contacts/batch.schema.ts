import { errorProperties } from '../../http/pipeline/route.ts';
import { ApiError, invalid, invalidField, type Problem } from '../../lib/errors.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import {
  type ContactCreate,
  type ContactUpdate,
  contactCreate,
  contactUpdate,
  ownedByServer,
  withIncluded,
} from './contact.schema.ts';
import { E164_PATTERN, phoneProblem } from './phone.ts';

export const MAX_OPERATIONS = 1_000;

const op = v.oneOf(['create', 'update', 'upsert', 'delete']);
const id = v.text({
  min: 1,
  max: 64,
  schema: { description: 'The contact to update or delete, as a token or a UUID.' },
});
const phone_number = v.text({
  schema: {
    description: 'With an id, the new number. Without one, the E.164 number of the contact.',
    examples: ['+14155550100'],
  },
});
const ignored = ownedByServer.filter((name) => name !== 'id');

/** The published form of an operation on a contact that either an id or a phone number names. */
const byIdOrNumber = [
  { type: 'object', required: ['id'], properties: { id: s.string() } },
  {
    type: 'object',
    required: ['phone_number'],
    properties: { phone_number: { type: 'string', pattern: E164_PATTERN } },
  },
];

const byNumber = v.object(
  { op: v.oneOf(['create', 'upsert']), ...contactCreate.fields },
  { title: 'ContactCreateOperation', required: ['op', 'phone_number'], ignored },
);
const update = v.object(
  { op: v.oneOf(['update']), id, ...contactUpdate.fields, phone_number },
  { title: 'ContactUpdateOperation', required: ['op'], ignored, schema: { anyOf: byIdOrNumber } },
);
const remove = v.object(
  { op: v.oneOf(['delete']), id, phone_number },
  { title: 'ContactDeleteOperation', required: ['op'], schema: { anyOf: byIdOrNumber, maxProperties: 2 } },
);

/** Names a contact by its id or its phone identity. */
export type Target = { readonly id: string } | { readonly phone: string };

export type BatchOperation =
  | { readonly op: 'create'; readonly fields: ContactCreate }
  | { readonly op: 'upsert'; readonly fields: ContactCreate }
  | { readonly op: 'update'; readonly target: Target; readonly fields: ContactUpdate }
  | { readonly op: 'delete'; readonly target: Target };

const targetOf = (id: string | undefined, phone: string | undefined): Target => {
  if (id !== undefined) return { id };
  if (phone === undefined) throw invalidField('id', 'is required, unless phone_number names the contact.');
  const message = phoneProblem(phone);
  if (message) throw invalidField('phone_number', message);
  return { phone };
};

const readDelete = (value: Readonly<Record<string, unknown>>): BatchOperation => {
  const { id, phone_number } = remove.read(value);
  if (id !== undefined && phone_number !== undefined)
    throw invalidField('phone_number', 'must be omitted if the operation has an id.');
  return { op: 'delete', target: targetOf(id, phone_number) };
};

const readUpdate = (value: Readonly<Record<string, unknown>>): BatchOperation => {
  const { op: _, id, ...fields } = update.read(value);
  const { phone_number, ...others } = fields;
  return { op: 'update', target: targetOf(id, phone_number), fields: id === undefined ? others : fields };
};

/** Reads one operation. Throws a 400 error whose fields are those of the operation. */
export const readOperation = (value: Readonly<Record<string, unknown>>): BatchOperation => {
  const problems: Problem[] = [];
  const kind = op.read(value.op, 'op', problems);
  if (problems.length > 0) throw invalid(problems);
  if (kind === 'delete') return readDelete(value);
  if (kind === 'update') return readUpdate(value);
  const { op: _, ...fields } = byNumber.read(value);
  return { op: kind, fields };
};

const operationSchema: s.JsonSchema = {
  title: 'ContactOperation',
  description: '`upsert` creates or updates by phone number.',
  oneOf: [byNumber.schema, update.schema, remove.schema],
};

/** Only checks that it is a list of objects: the operations are read one by one, so that each has its own error. */
const operations: v.Field<Record<string, unknown>[]> = {
  schema: {
    type: 'array',
    items: operationSchema,
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    description: 'Executed in this order. Later operations see the results of earlier ones.',
  },
  read: (value, field, problems) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_OPERATIONS) {
      const found = Array.isArray(value) ? `; this has ${value.length}` : '';
      problems.push({ field, message: `must be an array of 1 to ${MAX_OPERATIONS} operations${found}.` });
      return [];
    }
    const wrong = value.findIndex((each) => !v.isObject(each));
    if (wrong !== -1) {
      const message = 'must be an object, for example {"op": "upsert", "phone_number": "+14155550100"}.';
      problems.push({ field: `${field}[${wrong}]`, message });
    }
    return value;
  },
};

export const batchBody = v.object(
  {
    operations,
    atomic: v.boolean({
      default: false,
      description: 'If true, all operations succeed, or nothing changes and the error names the failed ones.',
    }),
  },
  { title: 'ContactBatchRequest', required: ['operations'] },
);

type RowError = Pick<ApiError, 'code' | 'message' | 'details'>;

/** The outcome of one operation. */
export interface RowResult {
  readonly status: 'created' | 'updated' | 'deleted' | 'failed';
  readonly id: string | null;
  readonly error: RowError | null;
}

export const failed = ({ code, message, details }: Pick<RowError, 'code' | 'message'> & Partial<RowError>) =>
  ({ status: 'failed', id: null, error: { code, message, details } }) as const satisfies RowResult;

/** At most this many problems in the error of an atomic batch. */
const MAX_PROBLEMS = 100;

/** The error of an atomic batch, with the code of its first failed operation. An invalid operation comes first. */
export const atomicError = (failures: readonly (readonly [index: number, error: RowError])[]): ApiError => {
  const problems = failures.flatMap(([index, { message, details }]): Problem[] =>
    Array.isArray(details)
      ? details.map((each) => ({ field: `operations[${index}].${each.field}`, message: each.message }))
      : [{ field: `operations[${index}]`, message }],
  );
  const first = failures.find(([, { code }]) => code === 'VALIDATION_ERROR') ?? failures[0];
  const failedCount = failures.length === 1 ? '1 operation' : `${failures.length} operations`;
  return new ApiError(
    first?.[1].code ?? 'VALIDATION_ERROR',
    `Nothing was changed, because ${failedCount} failed. See details.`,
    problems.slice(0, MAX_PROBLEMS),
  );
};

const rowErrorSchema: s.JsonSchema = {
  description: 'The error that the endpoint for a single contact returns; null if the operation succeeded.',
  type: ['object', 'null'],
  required: ['code', 'message'],
  additionalProperties: false,
  properties: errorProperties,
};

export const batchResponse = s.object('ContactBatch', {
  created: s.count('Number of created contacts.'),
  updated: s.count('Number of updates.'),
  deleted: s.count('Number of deleted contacts.'),
  failed: s.count('Number of failed operations.'),
  results: s.list(
    withIncluded('ContactOperationResult', {
      index: s.count('The position of the operation in the request, from 0.'),
      status: s.oneOf(['created', 'updated', 'deleted', 'failed']),
      id: s.nullableString('The id of the contact; null if the operation failed.'),
      error: rowErrorSchema,
    }),
    'One for each operation, in the same order.',
  ),
});
