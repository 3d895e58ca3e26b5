import type { Channel } from '../../api/types.gen.ts';
import { CodeBlock } from '../../app/code-block.tsx';
import { t } from '../../lib/i18n.ts';
import { Input, Select } from '../../ui/field.tsx';

type Adapter = Channel['adapter'];

export const platformLabels: Record<Adapter, string> = {
  native: t('Your own runtime, or Twilio'),
  vapi: t('Vapi'),
  retell: t('Retell'),
  elevenlabs: t('ElevenLabs'),
  telnyx: t('Telnyx'),
  twilio_conversationrelay: t('Twilio ConversationRelay'),
  jambonz: t('jambonz'),
};

const options = Object.entries(platformLabels).map(([value, label]) => ({ value, label }));

const secretLabels: Partial<Record<Adapter, string>> = {
  native: t('Twilio auth token'),
  retell: t('Retell API key'),
  elevenlabs: t('Secret of the post-call webhook'),
  telnyx: t('Telnyx public key'),
  twilio_conversationrelay: t('Twilio auth token'),
  jambonz: t('jambonz webhook secret'),
};
const secretHints: Partial<Record<Adapter, string>> = {
  native: t(
    "Only needed if Twilio reports calls and messages to this channel. Twilio signs requests with your account's auth token.",
  ),
  retell: t('Retell signs its requests with the API key that has the webhook badge in its dashboard.'),
  elevenlabs: t('ElevenLabs shows it when you create the webhook. You can also add it here later.'),
  telnyx: t('Telnyx signs its requests. Copy the public key from Keys & Credentials in its portal.'),
  twilio_conversationrelay: t("Twilio signs its requests with your account's auth token."),
  jambonz: t('jambonz signs its requests. Copy the webhook secret of your account.'),
};

/** What to do about a missing secret, for platforms whose channels cannot be used without one. */
const secretProblems: Partial<Record<Adapter, string>> = {
  retell: t('Enter the API key.'),
  telnyx: t('Enter the public key.'),
  twilio_conversationrelay: t('Enter the auth token.'),
  jambonz: t('Enter the webhook secret.'),
};
interface Form {
  readonly adapter: Adapter;
  readonly secret: string;
}

/** What to do about the missing secret of a platform that is new to the channel; undefined if it has one or needs none. */
export const missingSecret = ({ adapter, secret }: Form): string | undefined =>
  secret === '' ? secretProblems[adapter] : undefined;

/** The voice platform of a channel, and what it signs its requests with, which is stored encrypted and never shown again. */
export const PlatformFields = ({
  form,
  isNew,
  problems,
  onChange,
}: {
  readonly form: Form;
  /** Whether the platform is new to the channel, so that no secret is stored. */
  readonly isNew: boolean;
  readonly problems: Readonly<Record<'adapter' | 'secret', string | undefined>>;
  readonly onChange: (change: Partial<Form>) => void;
}) => {
  const label = secretLabels[form.adapter];
  return (
    <>
      <Select
        label={t('Platform')}
        hint={t('A voice platform calls Roster in its own format, so you need no server of your own.')}
        required
        options={options}
        value={form.adapter}
        error={problems.adapter}
        onChange={({ target }) => onChange({ adapter: target.value as Adapter, secret: '' })}
      />
      {label && (
        <Input
          label={isNew ? label : t('New {secret}', { secret: label })}
          hint={isNew ? secretHints[form.adapter] : t('Leave empty to change nothing.')}
          required={isNew && form.adapter in secretProblems}
          type="password"
          autoComplete="off"
          maxLength={200}
          spellCheck={false}
          value={form.secret}
          error={problems.secret}
          onChange={({ target }) => onChange({ secret: target.value })}
        />
      )}
    </>
  );
};

/** Platforms replace it with the instructions. */
const PLACEHOLDER = '{{instructions}}';

const setUpSteps: Partial<Record<Adapter, readonly string[]>> = {
  vapi: [
    t('In Vapi, open Phone Numbers and your number, and remove its assistant.'),
    t(
      'Set its Server URL to this address, with a Bearer Token credential that has the secret of this channel.',
    ),
    t(
      "As the config of the agent's version, write a Vapi assistant without instructions: model, voice, first message.",
    ),
  ],
  retell: [
    t('In Retell, open Phone Numbers and your number, and set its Inbound Webhook URL to this address.'),
    t('Set the Webhook URL of the Retell agent to the same address.'),
    t('In the prompt of the Retell agent, write {placeholder}.', { placeholder: PLACEHOLDER }),
  ],
  elevenlabs: [
    t(
      'In ElevenLabs, set the conversation initiation webhook to this address, with the header Authorization: Bearer and the secret of this channel.',
    ),
    t(
      'Create a post-call webhook for transcriptions with the same address, and put its secret here under Edit.',
    ),
    t("In the agent's security settings, enable fetching initiation data for inbound calls."),
    t('In the system prompt of the agent, write {placeholder}.', { placeholder: PLACEHOLDER }),
  ],
  telnyx: [
    t('In Telnyx, open the AI assistant and set its Dynamic Variables Webhook URL to this address.'),
    t('In the instructions of the assistant, write {placeholder}.', { placeholder: PLACEHOLDER }),
    t(
      'Give the same address to the application that takes its calls, as status callback with POST (TeXML) or as webhook URL (Voice API).',
    ),
  ],
  twilio_conversationrelay: [
    t('In Twilio, open the number, and set its webhook for incoming calls to this address, with HTTP POST.'),
    t('Set the same address for call status changes.'),
    t(
      "In the config of the agent's version, write the url of your ConversationRelay server, for example wss://relay.example.com.",
    ),
  ],
  jambonz: [
    t(
      'In jambonz, create an application with this address as its calling webhook and as its call status webhook, with POST.',
    ),
    t('Route the number to the application.'),
    t("As the config of the agent's version, write a jambonz agent: stt, tts and llm."),
  ],
};

/** The address for the platform, and how to set it up there. */
export const PlatformEndpoint = ({ channel }: { readonly channel: Pick<Channel, 'id' | 'adapter'> }) => {
  const url = `${location.origin}/hooks/channels/${channel.id}/platform`;
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        label={t('Address for {platform}', { platform: platformLabels[channel.adapter] })}
        text={url}
        hint={t('It starts calls with the deployed version, and receives their reports.')}
      />
      <ol className="list-decimal space-y-1 pl-5 text-sm">
        {setUpSteps[channel.adapter]?.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
};
