import type { Channel } from '../../api/types.gen.ts';

export const SECRET_PLACEHOLDER = '$CHANNEL_SECRET';

export const hookUrl = ({ id }: Pick<Channel, 'id'>): string => `${location.origin}/hooks/channels/${id}`;

/** An event as described in docs/hooks.md, signed with standard shell tools. */
export const testEventRequest = (
  channel: Pick<Channel, 'id' | 'kind'>,
  secret = SECRET_PLACEHOLDER,
): string =>
  [
    secret !== SECRET_PLACEHOLDER && `CHANNEL_SECRET='${secret}'`,
    `BODY='{"type": "${channel.kind === 'phone' ? 'call' : 'message'}", "provider_id": "test-1", "direction": "inbound", "number": "+14155550123"}'`,
    'ID=msg_test; AT=$(date +%s)',
    'KEY=$(printf %s "$CHANNEL_SECRET" | cut -c7- | base64 -d | od -An -v -tx1 | tr -d " \\n")',
    'SIGNED=$(printf %s "$ID.$AT.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    `curl -s "${hookUrl(channel)}/events" -H 'Content-Type: application/json' -d "$BODY" \\`,
    '  -H "webhook-id: $ID" -H "webhook-timestamp: $AT" -H "webhook-signature: v1,$SIGNED"',
  ]
    .filter(Boolean)
    .join('\n');
