import type { Encryptor } from '../../lib/encryption.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { NewAttempt } from './attempt.store.ts';
import type { LoadedEvent } from './delivery.service.ts';
import type { WebhookSender } from './webhook.sender.ts';
import { signWebhook } from './webhook.signature.ts';
import type { EndpointRow } from './webhook.store.ts';

interface AttemptOptions {
  readonly sender: WebhookSender;
  readonly encryptor: Pick<Encryptor, 'decrypt'>;
  readonly userAgent: string;
  readonly timeoutMs: number;
}

/** Returns a function that signs an event, sends it and describes the attempt. It rejects if the sender is closed or a secret
 *  cannot be decrypted. */
export const attemptSender =
  ({ sender, encryptor, userAgent, timeoutMs }: AttemptOptions) =>
  async (
    target: EndpointRow,
    { seq, id, type, body }: LoadedEvent,
    { number, at }: { readonly number: number; readonly at: Date },
  ) => {
    const keys = acceptedSecrets(target, 'secret_sealed').map((sealed) =>
      encryptor.decrypt(sealed, target.id),
    );
    const signed = signWebhook({ id, body }, keys, at);
    const headers = { ...signed, 'user-agent': userAgent };
    const sent = await sender.send({ url: target.url, pool: target.id, headers, body, timeoutMs });
    const { outcome, status = null, error = null, response_body, duration_ms, retryAfterMs } = sent;
    const attempt: NewAttempt = {
      event_seq: seq,
      event_id: id,
      event_type: type,
      attempt: number,
      at: at.toISOString(),
      duration_ms,
      result: outcome,
      status,
      error,
      response_body,
      signature: signed['webhook-signature'],
    };
    return { attempt, retryAfterMs };
  };
export type SendAttempt = ReturnType<typeof attemptSender>;
