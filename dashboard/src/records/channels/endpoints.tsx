import type { Channel } from '../../api/types.gen.ts';
import { CodeBlock } from '../../app/code-block.tsx';
import { t } from '../../lib/i18n.ts';
import { PlatformEndpoint } from './platform.tsx';
import { hookUrl, SECRET_PLACEHOLDER, testEventRequest } from './test-event.ts';

const agentRequest = (base: string, secret: string): string =>
  `curl -s -i "${base}/agent" \\\n  -H "Authorization: Bearer ${secret}"`;

/** The endpoints of a channel with example requests. */
export const Endpoints = ({
  channel,
  secret = SECRET_PLACEHOLDER,
}: {
  readonly channel: Pick<Channel, 'id' | 'kind' | 'adapter'>;
  /** Known only right after creation. */
  readonly secret?: string;
}) => {
  if (channel.adapter !== 'native') return <PlatformEndpoint channel={channel} />;
  const base = hookUrl(channel);
  const [agentUrl, eventsUrl] = [`${base}/agent`, `${base}/events`];
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        label={t('Agent endpoint')}
        text={agentUrl}
        hint={t('Your runtime fetches the deployed instructions here, using the secret as a bearer token.')}
      />
      <CodeBlock
        label={t('Events endpoint')}
        text={eventsUrl}
        hint={t(
          'Your runtime reports calls and messages here, signed with the secret. In Twilio, use it as the status callback.',
        )}
      />
      <details className="group rounded-lg border border-line">
        <summary className="rounded-lg px-3 py-2 text-sm font-medium select-none hover:bg-sunken/60">
          {t('Terminal examples')}
        </summary>
        <div className="flex flex-col gap-4 px-3 pt-1 pb-3">
          <CodeBlock
            label={t('Get the agent with curl')}
            text={agentRequest(base, secret)}
            hint={
              secret === SECRET_PLACEHOLDER
                ? t("Replace $CHANNEL_SECRET with this channel's secret.")
                : undefined
            }
          />
          <CodeBlock
            label={t('Send a test event with curl')}
            text={testEventRequest(channel, secret)}
            hint={t(
              'This is recorded like a real event: it appears in Calls, and the number becomes a contact.',
            )}
          />
        </div>
      </details>
    </div>
  );
};
