import type { IncomingMessage } from 'node:http';
import { bearerOf, type Guard } from '../../http/pipeline/credentials.ts';
import { unauthorized } from '../../lib/errors.ts';

/** Authenticates with the secret of the record in the path. It does not reveal whether that record exists. */
export const secretGuard =
  <W>(identify: (id: string, secret: string, request: IncomingMessage) => Promise<W | undefined>): Guard =>
  async (request, { id = '' }) => {
    const secret = bearerOf(request);
    const principal = secret === undefined ? undefined : await identify(id, secret, request);
    if (principal === undefined)
      throw unauthorized(
        'Send the secret of this channel or integration in the header Authorization: Bearer <SECRET>.',
      );
    return principal;
  };
