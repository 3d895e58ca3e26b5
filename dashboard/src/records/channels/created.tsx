import { SecretDialog } from '../../app/secret-dialog.tsx';
import { t } from '../../lib/i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import type { CreationResult } from './create.tsx';
import { Endpoints } from './endpoints.tsx';

/** Shows the secret of a new channel, once. */
export const ChannelCreated = ({
  created: { channel, connectError },
  onClose,
}: {
  readonly created: CreationResult;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={t('{name} created', { name: channel.name })}
    secret={channel.secret}
    explanation={t(
      "Anyone who has it can read this channel's instructions and report calls. If you lose it, rotate it.",
    )}
    onClose={onClose}
  >
    {connectError && (
      <Notice tone="warn">{t("Couldn't connect the agent: {error}", { error: connectError })}</Notice>
    )}
    <Endpoints channel={channel} secret={channel.secret} />
  </SecretDialog>
);
