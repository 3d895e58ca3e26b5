import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { toast } from '../../../ui/toast.tsx';

const MAX_NAME = 100;

/** Copies an agent and opens the copy. */
export const useDuplicateAgent = (agent: Agent) => {
  const navigate = useNavigate();
  const duplicate = useMutation({
    mutationFn: () => {
      const name = [...t('Copy of {name}', { name: agent.name })].slice(0, MAX_NAME).join('');
      return call('POST', '/agents/{id}/duplicate', { params: { id: agent.id }, body: { name } });
    },
    onSuccess: ({ data }) => {
      void invalidate('/agents', '/figures');
      toast.good(t('{name} created with draft v1.', { name: data.name }));
      void navigate({ to: '/agents/$id', params: { id: data.id } });
    },
    onError: toast.failed,
  });
  return () => {
    if (!duplicate.isPending) duplicate.mutate();
  };
};
