import { callEvent } from '../../../src/features/calls/call.schema.ts';
import { webhookContact } from '../../../src/features/integrations/integration.schema.ts';
import { statusOf } from '../../../src/lib/errors.ts';
import type { Json } from '../../kit/service/test-service.ts';

const json = (schema: unknown) => ({ 'application/json': { schema } });
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];

/** The hooks are not part of the service's OpenAPI documents. This document describes them as docs/hooks.md does. */
export const hookDocument = ({ components }: Json): Json => {
  const error = { headers: {}, content: json({ $ref: '#/components/schemas/Error' }) };
  const responses = (success: Json, ...codes: (keyof typeof statusOf)[]) => ({
    ...success,
    ...Object.fromEntries(codes.map((code) => [statusOf[code], error])),
  });
  const done = { headers: {}, content: json({ type: 'object', required: ['success', 'data'] }) };
  return {
    components,
    paths: {
      '/hooks/channels/{id}/agent': {
        get: {
          parameters: id,
          responses: responses(
            { 200: done, 304: { headers: {} } },
            'UNAUTHORIZED',
            'NOT_FOUND',
            'RATE_LIMITED',
          ),
        },
      },
      '/hooks/channels/{id}/events': {
        post: {
          parameters: id,
          requestBody: { content: json(callEvent.schema) },
          responses: responses(
            { 200: done },
            'VALIDATION_ERROR',
            'UNAUTHORIZED',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'RATE_LIMITED',
          ),
        },
      },
      '/hooks/contacts/{id}': {
        post: {
          parameters: id,
          requestBody: { content: json(webhookContact.schema) },
          responses: responses(
            { 200: done, 201: done },
            'VALIDATION_ERROR',
            'UNAUTHORIZED',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'RATE_LIMITED',
          ),
        },
      },
    },
  };
};
