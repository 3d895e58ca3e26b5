import { getRouteApi } from '@tanstack/react-router';
import { useCurrentUser } from '../../app/current-user.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { You } from './account.tsx';
import { Keys } from './keys/list.tsx';
import { People } from './members/list.tsx';
import { tabs as names, type SettingsSearch } from './url-params.ts';
import { Workspace } from './workspace.tsx';

const route = getRouteApi('/app/settings');
const labels = { keys: 'Keys', people: 'People', workspace: 'Workspace', you: 'Account' } as const;

export const SettingsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { role } = useCurrentUser();
  const show = (next: SettingsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  const adding = (tab: 'keys' | 'people') => ({
    isAdding: search.add === true,
    onAdd: () => show({ tab, add: true }, false),
    onClose: () => show({ tab }, true),
  });
  const contents = {
    keys: <Keys {...adding('keys')} />,
    people: <People {...adding('people')} />,
    workspace: <Workspace isOwner={role === 'owner'} />,
    you: <You />,
  };
  const offered = names.filter((name) => role === 'owner' || name === 'workspace' || name === 'you');
  const fallback = role === 'owner' ? 'keys' : 'you';
  const value = search.tab && offered.includes(search.tab) ? search.tab : fallback;
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        tabs={offered.map((name) => ({ value: name, label: labels[name], content: contents[name] }))}
        value={value}
        onChange={(tab) => show({ tab }, false)}
      />
    </Page>
  );
};
