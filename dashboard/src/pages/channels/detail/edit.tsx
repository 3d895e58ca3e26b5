import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { DialogClose } from '../../../ui/dialog.tsx';
import { Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AddressField } from '../address-field.tsx';
import { TwilioField } from '../twilio-field.tsx';

interface LoadedChannel {
  readonly data: Channel;
  readonly etag: string | null;
}

/** Edits the name and address of a channel. If someone else changed it meanwhile, shows both versions and asks
 *  which one to use. */
export const EditChannel = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedChannel;
  readonly onClose: () => void;
}) => {
  const [from, setFrom] = useState(loaded);
  const [form, setForm] = useState({
    name: loaded.data.name,
    address: loaded.data.address,
    token: '',
    isOldAccepted: true,
  });
  const [theirs, setTheirs] = useState<LoadedChannel>();
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const { id, kind } = loaded.data;
  const save = useMutation({
    mutationFn: (etag: string | null) =>
      call('PATCH', '/channels/{id}', {
        params: { id },
        ifMatch: etag,
        body: {
          name: form.name,
          address: form.address,
          ...(form.token && {
            twilio_auth_token: form.token,
            grace_hours: form.isOldAccepted ? 24 : 0,
          }),
        },
      }),
    onSuccess: () => {
      void invalidate('/channels', '/calls');
      toast.good(`${form.name} saved.`);
      onClose();
    },
    onError: async (error) => {
      if (isApiError(error, 'PRECONDITION_FAILED'))
        setTheirs(await call('GET', '/channels/{id}', { params: { id } }));
    },
  });
  const problems = fieldErrors(save.error);
  const isChanged = form.name !== from.data.name || form.address !== from.data.address || form.token !== '';
  const takeTheirs = ({ data, etag }: LoadedChannel) => {
    setFrom({ data, etag });
    set({ name: data.name, address: data.address });
    setTheirs(undefined);
    save.reset();
  };
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Edit channel"
      dirty={isChanged}
      onSubmit={() => save.mutate((theirs ?? from).etag)}
      footer={
        theirs ? (
          <>
            <Button onClick={() => takeTheirs(theirs)}>Use theirs</Button>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Save mine
            </Button>
          </>
        ) : (
          <>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Save
            </Button>
          </>
        )
      }
    >
      {theirs ? (
        <Comparison theirs={theirs.data} yours={form} />
      ) : (
        <div className="flex flex-col gap-4">
          <Input
            label="Name"
            required
            autoFocus
            maxLength={100}
            autoComplete="off"
            value={form.name}
            error={problems.name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <AddressField
            kind={kind}
            value={form.address}
            error={problems.address}
            onChange={(address) => set({ address })}
          />
          {kind !== 'web_chat' && (
            <TwilioField
              label="New Twilio auth token"
              hint="Leave empty to keep the stored token."
              value={form.token}
              error={problems.twilio_auth_token}
              onChange={(token) => set({ token })}
            />
          )}
          {form.token !== '' && (
            <Checkbox
              label="Accept the old token for another 24 hours"
              hint="Twilio signs with it until you promote the new one."
              checked={form.isOldAccepted}
              onChange={(isOldAccepted) => set({ isOldAccepted })}
            />
          )}
          {save.isError && Object.keys(problems).length === 0 && (
            <Notice tone="danger">{errorMessage(save.error)}</Notice>
          )}
        </div>
      )}
    </FormDialog>
  );
};

type Shown = Pick<Channel, 'name' | 'address'> & { readonly agent?: Channel['agent'] };

const Comparison = ({ theirs, yours }: { readonly theirs: Shown; readonly yours: Shown }) => (
  <div className="flex flex-col gap-3">
    <Notice tone="warn">
      Someone else changed this channel while you were editing. Your changes haven't been saved.
    </Notice>
    <div className="grid gap-3 sm:grid-cols-2">
      {(
        [
          ['Their version (saved)', theirs],
          ['Your version (not saved)', yours],
        ] as const
      ).map(([title, each]) => (
        <section key={title} aria-label={title} className="rounded-xl border border-line p-3 text-sm">
          <h3 className="mb-1 font-medium">{title}</h3>
          <p dir="auto" className="wrap-anywhere">
            {each.name}
          </p>
          <p className="figure wrap-anywhere text-muted">{each.address}</p>
          <p className="text-[0.8125rem] text-muted">
            {'agent' in each ? (each.agent ? `Agent: ${each.agent.name}` : 'No agent') : 'Agent unchanged'}
          </p>
        </section>
      ))}
    </div>
  </div>
);
