import {
  type IExecuteFunctions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { runItem } from './operations';
import { properties } from './properties';

export class Roster implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Roster',
    name: 'roster',
    icon: { light: 'file:../../icons/roster.svg', dark: 'file:../../icons/roster.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Work with contacts, enrollments in campaigns and the instructions of agents',
    defaults: { name: 'Roster' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'rosterApi', required: true }],
    properties,
  };

  async execute(this: IExecuteFunctions) {
    const results = [];
    for (let item = 0; item < this.getInputData().length; item++)
      results.push(...(await runItem(this, item)));
    return [results];
  }
}
