import type { INodeProperties } from 'n8n-workflow';

type Extra = Partial<INodeProperties>;

/** `Agent ID` for `agent_id`, `Return All` for `returnAll`. */
const title = (name: string): string => {
  const words = name.replace(/[._]|(?=[A-Z])/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return words.replace(/\b(Api|Id|Url)(?=s?\b)/g, (word) => word.toUpperCase());
};

/** A property with a text, unless `extra` gives it another type. */
export const text = (name: string, description: string, extra: Extra = {}): INodeProperties => ({
  ...{ displayName: title(name), name, type: 'string', default: '', description },
  ...extra,
});
export const time = (name: string, description: string) => text(name, description, { type: 'dateTime' });
export const json = (name: string, description: string, extra: Extra = {}) =>
  text(name, description, { type: 'json', default: '{}', ...extra });
export const choice = (name: string, description: string, values: string[], extra: Extra = {}) => {
  const options = values.map((value) => ({ name: title(value), value }));
  return text(name, description, { type: 'options', options, default: values[0], ...extra });
};
export const collection = (name: string, extra: Extra, options: INodeProperties[]) =>
  text(name, 'Only what is added is sent', { type: 'collection', default: {}, options, ...extra });
