import type { FastifyInstance } from 'fastify'
import { RIGHTS } from '../../domain/people/index.ts'
import { mountConsole } from '../web/console/mount.ts'
import { framed, WORDS } from './page.ts'
import type { OperatorDeps, OperatorKind } from './kind.ts'
import { SECTIONS } from './routes.ts'

/** The pages of the operator's staff. Register before the server listens. */
export function mountOperatorConsole(server: FastifyInstance, app: OperatorDeps): void {
  mountConsole<OperatorKind>(server, app, {
    ...{ audience: 'operator', words: WORDS, sections: SECTIONS, framed },
    rolesFor: (action) => RIGHTS[action],
  })
}
