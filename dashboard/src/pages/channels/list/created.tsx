import { Secret } from '../../../app/secret.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Hooks } from '../endpoints.tsx';
import type { Made } from './create.tsx';

/** Shows the secret of a new channel, once. */
export const SecretOnce = ({
  made: { channel, unconnected },
  onClose,
}: {
  readonly made: Made;
  readonly onClose: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={`${channel.name} created`}
    keep
    footer={
      <Button look="primary" onClick={onClose}>
        I've saved the secret
      </Button>
    }
  >
    <div className="flex flex-col gap-4">
      {unconnected && <Notice tone="warn">Couldn't connect the agent: {unconnected}</Notice>}
      <Secret label="Secret" text={channel.secret}>
        Copy this secret now. You won't be able to see it again. Anyone who has it can read this channel's
        instructions and report calls. If you lose it, rotate it.
      </Secret>
      <Hooks channel={channel} secret={channel.secret} />
    </div>
  </Dialog>
);
