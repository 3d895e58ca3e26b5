/** The contents of the tabs, in one request. */
export { default as Account } from './account.tsx';
export { default as CallSettings } from './calls/settings.tsx';
export { default as ChatModelSettings } from './chat-model.tsx';
export { default as Fields } from './fields/list.tsx';
export { default as Members } from './members/list.tsx';
export { default as Workspace } from './workspace.tsx';
