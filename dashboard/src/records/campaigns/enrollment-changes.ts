import { type Query, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { invalidate, queryClient } from '../../api/query.ts';
import type { Enrollment } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';
import { enrollmentStatusWords, isSettable, type SettableStatus } from './labels.tsx';

const paramsOf = ({ campaign_id, contact_id }: Enrollment) => ({ id: campaign_id, contact: contact_id });

const invalidateEnrollments = () =>
  invalidate('/campaigns', '/contacts/{id}/enrollments', '/contacts/{id}/timeline');

const setStatus = (enrollment: Enrollment, status: SettableStatus) =>
  call('PATCH', '/campaigns/{id}/enrollments/{contact}', { params: paramsOf(enrollment), body: { status } });

type List = { readonly data: readonly Enrollment[] };

const isSame = (one: Enrollment, other: Enrollment) =>
  one.campaign_id === other.campaign_id && one.contact_id === other.contact_id;

const hasEnrollments = ({ queryKey: [path] }: Query): boolean =>
  path === '/contacts/{id}/enrollments' || path === '/campaigns/{id}/enrollments';

/** Shows a status in every list that has the enrollment, and returns a function that restores the lists. */
const showStatus = (enrollment: Enrollment, status: Enrollment['status']): (() => void) => {
  const lists = queryClient.getQueriesData<List>({ predicate: hasEnrollments });
  for (const [key, list] of lists) {
    if (!list?.data.some((each) => isSame(each, enrollment))) continue;
    const data = list.data.map((each) => (isSame(each, enrollment) ? { ...each, status } : each));
    queryClient.setQueryData(key, { ...list, data });
  }
  return () => {
    for (const [key, list] of lists) queryClient.setQueryData(key, list);
  };
};

/** Changes the status of an enrollment. The new one is shown immediately; if it is rejected, the former one is shown again. */
export const useStatusChange = (enrollment: Enrollment, name: string) =>
  useMutation({
    mutationFn: (status: SettableStatus) => setStatus(enrollment, status),
    // The component renders with the new status before the mutation ends, so the former one is remembered here.
    onMutate: async (status) => {
      const former = enrollment.status;
      // A refresh that began before would show the former status again.
      await queryClient.cancelQueries({ predicate: hasEnrollments });
      return { former, restore: showStatus(enrollment, status) };
    },
    onSuccess: ({ data }, _, { former }) => {
      const status = enrollmentStatusWords[data.status];
      toast.undo(t('{name} marked as {status}.', { name, status }), async () => {
        await setStatus(enrollment, isSettable(former) ? former : 'pending');
        await invalidateEnrollments();
      });
    },
    onError: (error, _, shown) => {
      shown?.restore();
      toast.failed(error);
    },
    onSettled: () => void invalidateEnrollments(),
  });

/** Enrolls the contact again, with its former status, outcome and variables. Attempts are counted from the start. */
const restore = async (enrollment: Enrollment): Promise<void> => {
  const { campaign_id: id, contact_id, outcome, variables } = enrollment;
  const status = isSettable(enrollment.status) ? enrollment.status : 'pending';
  const contacts = [{ contact_id, variables }];
  await call('POST', '/campaigns/{id}/enrollments', { params: { id }, body: { contacts } });
  if (status !== 'pending' || outcome !== null) {
    const body = { status, ...(outcome !== null && { outcome }) };
    await call('PATCH', '/campaigns/{id}/enrollments/{contact}', { params: paramsOf(enrollment), body });
  }
  await invalidateEnrollments();
};

const remove = async (enrollment: Enrollment): Promise<void> => {
  await call('DELETE', '/campaigns/{id}/enrollments/{contact}', { params: paramsOf(enrollment) });
  void invalidateEnrollments();
};

/** Removes an enrollment and offers to undo that. No one can be enrolled in a finished campaign again. */
export const removeEnrollment = async (enrollment: Enrollment, text: string): Promise<void> => {
  await remove(enrollment);
  if (enrollment.campaign_status === 'finished') toast.good(text);
  else toast.undo(text, () => restore(enrollment));
};

/** Says that a contact was enrolled, and offers to undo that. */
export const offerToUnenroll = (
  params: { readonly id: string; readonly contact: string },
  text: ReactNode,
): void => {
  void invalidateEnrollments();
  toast.undo(text, async () => {
    await call('DELETE', '/campaigns/{id}/enrollments/{contact}', { params });
    await invalidateEnrollments();
  });
};
