import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Endpoints } from '../endpoints.tsx';
import type { CreationResult } from './create.tsx';

/** Shows the secret of a new channel, once. */
export const ChannelCreated = ({
  created: { channel, connectError },
  onClose,
}: {
  readonly created: CreationResult;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={`${channel.name} created`}
    label="Secret"
    secret={channel.secret}
    explanation="Anyone who has it can read this channel's instructions and report calls. If you lose it, rotate it."
    onClose={onClose}
  >
    {connectError && <Notice tone="warn">Couldn't connect the agent: {connectError}</Notice>}
    <Endpoints channel={channel} secret={channel.secret} />
  </SecretDialog>
);
