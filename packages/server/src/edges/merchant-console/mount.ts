import type { FastifyInstance } from 'fastify'
import { MERCHANT_RIGHTS } from '../../domain/people/index.ts'
import { mountConsole } from '../web/console/mount.ts'
import { framed, WORDS } from './page.ts'
import type { MerchantDeps, MerchantKind } from './kind.ts'
import { SECTIONS } from './routes.ts'

/** The pages of merchants' users. Register before the server listens. */
export function mountMerchantConsole(server: FastifyInstance, app: MerchantDeps): void {
  mountConsole<MerchantKind>(server, app, {
    ...{ audience: 'merchant', words: WORDS, sections: SECTIONS, framed },
    rolesFor: (action) => MERCHANT_RIGHTS[action] ?? [],
  })
}
