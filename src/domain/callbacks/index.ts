export { openCourier } from './deliveries/courier.ts'
export { distributeEvents } from './deliveries/distribute-events.ts'
export {
  disableEndpoint,
  enableEndpoint,
  removeEndpoint,
  resendEvent,
  resendFailed,
} from './deliveries/manage-deliveries.ts'
export { listEndpoints } from './endpoint-health.ts'
export type { EndpointHealth } from './endpoint-health.ts'
export { findEvent, listEvents } from './find-events.ts'
export type { EventWithDeliveries } from './find-events.ts'
export { recordEvents, recordTestEvent } from './record-events.ts'
