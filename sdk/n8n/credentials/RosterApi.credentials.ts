import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon } from 'n8n-workflow';
import { text } from '../nodes/properties';

export class RosterApi implements ICredentialType {
  name = 'rosterApi';
  displayName = 'Roster API';
  icon: Icon = { light: 'file:../icons/roster.svg', dark: 'file:../icons/roster.dark.svg' };
  documentationUrl = 'https://roster.example/docs/n8n';

  properties = [
    text('url', 'The address of the service, such as https://roster.example.com', { required: true }),
    text('api_key', 'A key with the scopes that the nodes need', {
      ...{ required: true, typeOptions: { password: true } },
    }),
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.api_key}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: '/v1/contacts', qs: { limit: 1 } },
  };
}
