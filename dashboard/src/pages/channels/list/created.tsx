import { Secret } from '../../../app/secret.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Endpoints } from '../endpoints.tsx';
import type { CreationResult } from './create.tsx';

/** Shows the secret of a new channel, once. */
export const SecretOnce = ({
  created: { channel, connectError },
  onClose,
}: {
  readonly created: CreationResult;
  readonly onClose: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={`${channel.name} created`}
    preventDismiss
    footer={
      <Button variant="primary" onClick={onClose}>
        I've saved the secret
      </Button>
    }
  >
    <div className="flex flex-col gap-4">
      {connectError && <Notice tone="warn">Couldn't connect the agent: {connectError}</Notice>}
      <Secret label="Secret" text={channel.secret}>
        Copy this secret now. You won't be able to see it again. Anyone who has it can read this channel's
        instructions and report calls. If you lose it, rotate it.
      </Secret>
      <Endpoints channel={channel} secret={channel.secret} />
    </div>
  </Dialog>
);
