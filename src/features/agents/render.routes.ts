import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { versionKey, versionParams } from './agent.schema.ts';
import { renderBody, renderingResponse } from './render.schema.ts';
import { renderVersion } from './render.version.ts';

const read = routesOf(needs('agents:read', { also: ['contacts:read'] }));

/** Instructions with the values of a contact. */
export const renderRoutes = {
  'POST /v1/agents/:id/versions/:version/render': read({
    run: renderVersion,
    input: (request) => ({ ...request.body, ...versionKey(request) }),
    summary: 'Render the instructions of a version',
    description:
      'The text with the values of a contact, which the request names in one of three ways. Nothing is stored. Unknown names remain as they are written.',
    params: versionParams,
    body: renderBody,
    status: 200,
    data: renderingResponse,
  }),
};
