import { messageOf } from '../../../system/errors/message.js';
import { SignOnFailure } from '../../signon/failure.js';
import type { CheckedAssertion } from '../assertion.js';
import type { Credentials } from '../credentials.js';
import {
  type LogoutParameters,
  type LogoutRequest,
  logoutAnswerUrl,
  logoutUrl,
  type ProviderSession,
  readLogoutRequest,
} from '../logout.js';
import { type IdpMetadata, parseMetadata } from '../metadata.js';
import type { Partners } from '../partner.js';
import { type OutgoingRequest, signOnRequest } from '../request.js';
import { readResponse } from '../response.js';
import { serviceMetadata } from '../service-metadata.js';
import type { SamlSettings, ServiceAddresses } from '../settings.js';

interface Ours {
  readonly settings: SamlSettings;
  readonly addresses: ServiceAddresses;
  readonly credentials: Credentials | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All that needs the library. Each throws SignOnFailure. */
export const JOBS = {
  /** The metadata of a provider. */
  idpMetadata: ({ xml }: { readonly xml: string }): Promise<IdpMetadata> =>
    parseMetadata(xml).catch((error: unknown) => {
      throw new SignOnFailure('settings', `the metadata of the provider cannot be used: ${messageOf(error)}`);
    }),
  serviceMetadata: async ({ settings, addresses, credentials, now }: Ours): Promise<string> =>
    serviceMetadata(settings, addresses, credentials, now),
  signOnRequest: ({ partners, id }: { readonly partners: Partners; readonly id: string }): Promise<OutgoingRequest> =>
    signOnRequest(partners, id),
  response: ({ partners, xml, now }: Incoming<{ readonly xml: string }>): Promise<CheckedAssertion> =>
    readResponse(partners, xml, now),
  logoutUrl: ({ partners, session }: Outgoing<{ readonly session: ProviderSession }>): Promise<string | undefined> =>
    logoutUrl(partners, session),
  logoutRequest: ({
    partners,
    parameters,
    now,
  }: Incoming<{ readonly parameters: LogoutParameters }>): Promise<LogoutRequest> =>
    readLogoutRequest(partners, parameters, now),
  logoutAnswerUrl: ({ partners, request, relayState }: Outgoing<LogoutAnswer>): Promise<string> =>
    logoutAnswerUrl(partners, request, relayState),
} as const;

type Outgoing<Content> = Content & { readonly partners: Partners };
type Incoming<Content> = Outgoing<Content> & { readonly now: number };
interface LogoutAnswer {
  readonly request: LogoutRequest;
  readonly relayState: string;
}

export type Jobs = typeof JOBS;
export type JobName = keyof Jobs;
