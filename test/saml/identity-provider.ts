import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Pair } from './certificates.js';

/** A person at the provider, with the values of the attributes. */
export interface ProviderPerson {
  readonly nameId: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

export interface ProviderOptions {
  readonly pair: Pair;
  readonly nameIdFormat?: string;
  readonly isEncrypted?: boolean;
  readonly wantsSignedRequests?: boolean;
  /** More settings of the package. */
  readonly more?: object;
  /** The only binding of requests to sign in. */
  readonly binding?: 'redirect' | 'post';
}

/** An identity provider of the package samlify, on this machine. */
export interface IdentityProvider {
  readonly url: string;
  readonly entityId: string;
  metadata: string;
  /** How often the metadata were read. */
  readonly reads: number;
  /** Who signs in next. */
  person: ProviderPerson;
  /** What the provider has read in the last request to sign in or out. */
  readonly lastRequest: Readonly<Record<string, unknown>>;
  /** Tells the provider the metadata of the server. */
  trust(serviceMetadata: string): void;
  /** Changes the key, and what the metadata say. */
  rotate(pair: Pair): void;
  /** The parameter SAMLResponse of a sign-in that the provider begins. */
  unsolicited(): Promise<string>;
  /** The address of a request to sign out, by HTTP-Redirect, and the form of one by HTTP-POST. */
  logoutUrl(sessionIndex?: string): string;
  logoutForm(sessionIndex?: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The parts of the package that are used here. Its types are those of browsers, which this project does not have. */
interface Samlify {
  setSchemaValidator(validator: { validate(): Promise<string> }): void;
  IdentityProvider(settings: object): Entity;
  ServiceProvider(settings: object): Entity;
}

interface Entity {
  readonly entityMeta: { getEntityID(): string; getAssertionConsumerService(binding: string): string };
  getMetadata(): string;
  createLoginResponse(sp: Entity, info: object, binding: string, user: object, made: () => object): Promise<Context>;
  parseLoginRequest(sp: Entity, binding: string, request: object): Promise<{ readonly extract: object }>;
  parseLogoutRequest(sp: Entity, binding: string, request: object): Promise<{ readonly extract: object }>;
  createLogoutRequest(sp: Entity, binding: string, user: object): Context;
}

interface Context {
  readonly context: string;
}

const samlify = createRequire(import.meta.url)('samlify') as Samlify;
samlify.setSchemaValidator({ validate: async () => 'not checked' });

const BINDINGS = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
} as const;

const RESPONSE =
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{Now}" Destination="{Recipient}"{ResponseTo}><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{Now}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{Format}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{Later}" Recipient="{Recipient}"{ResponseTo}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{Now}" NotOnOrAfter="{Later}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{Now}" SessionIndex="{SessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{Attributes}</saml:Assertion></samlp:Response>';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function attributeStatement(attributes: ProviderPerson['attributes']): string {
  const list = Object.entries(attributes).map(([name, values]) => {
    const texts = values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${escaped(name)}">${texts.join('')}</saml:Attribute>`;
  });
  return list.length === 0 ? '' : `<saml:AttributeStatement>${list.join('')}</saml:AttributeStatement>`;
}

export const SESSION_INDEX = 'session-1';

export async function openIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const { nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', binding } = options;
  let idp: Entity;
  let sp: Entity | undefined;
  let lastRequest: Record<string, unknown> = {};
  let reads = 0;
  const partner = () => {
    if (sp === undefined) throw new Error('The provider does not know the server.');
    return sp;
  };
  const respond = async (requestId: string | undefined): Promise<string> => {
    const [meta, now] = [partner().entityMeta, Date.now()];
    const recipient = meta.getAssertionConsumerService('post');
    const values = {
      ID: `_r${Math.random().toString(16).slice(2)}`,
      AssertionID: `_a${Math.random().toString(16).slice(2)}`,
      Now: new Date(now).toISOString(),
      Later: new Date(now + 300_000).toISOString(),
      Recipient: recipient,
      ResponseTo: requestId === undefined ? '' : ` InResponseTo="${requestId}"`,
      Issuer: provider.entityId,
      Audience: meta.getEntityID(),
      Format: nameIdFormat,
      NameID: escaped(provider.person.nameId),
      SessionIndex: SESSION_INDEX,
      Attributes: attributeStatement(provider.person.attributes),
    };
    const context = Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), RESPONSE);
    const { context: encoded } = await idp.createLoginResponse(partner(), {}, 'post', {}, () => ({
      id: values.ID,
      context,
    }));
    return encoded;
  };
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', provider.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const query = Object.fromEntries(url.searchParams);
    const octetString = ['SAMLRequest', 'RelayState', 'SigAlg']
      .flatMap((name) =>
        url.searchParams.has(name) ? [`${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`] : [],
      )
      .join('&');
    const how = request.method === 'POST' ? 'post' : 'redirect';
    if (url.pathname === '/metadata') {
      reads++;
      response.end(provider.metadata);
    } else if (url.pathname === '/sso') {
      const { extract } = await idp.parseLoginRequest(partner(), how, { query, body, octetString });
      lastRequest = extract as Record<string, unknown>;
      const { id } = (lastRequest['request'] ?? {}) as { readonly id?: string };
      const meta = partner().entityMeta;
      const action = meta.getAssertionConsumerService('post');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<form method="post" action="${action}"><input type="hidden" name="SAMLResponse" value="${await respond(id)}"></form><script>document.forms[0].submit()</script>`,
      );
    } else if (url.pathname === '/slo' && query['SAMLRequest'] !== undefined) {
      const { extract } = await idp.parseLogoutRequest(partner(), how, { query, body, octetString });
      lastRequest = extract as Record<string, unknown>;
      response.end('signed out');
    } else response.end('nothing');
  };
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bindings = binding === undefined ? (['redirect', 'post'] as const) : [binding];
  const make = (pair: Pair) =>
    samlify.IdentityProvider({
      entityID: `${url}/metadata`,
      signingCert: pair.certificate,
      privateKey: pair.key,
      isAssertionEncrypted: options.isEncrypted === true,
      wantAuthnRequestsSigned: options.wantsSignedRequests === true,
      wantLogoutRequestSigned: true,
      messageSigningOrder: 'sign-then-encrypt',
      nameIDFormat: [nameIdFormat],
      singleSignOnService: bindings.map((one) => ({ Binding: BINDINGS[one], Location: `${url}/sso` })),
      singleLogoutService: [{ Binding: BINDINGS.redirect, Location: `${url}/slo` }],
      loginResponseTemplate: { context: RESPONSE, attributes: [] },
      ...options.more,
    });
  idp = make(options.pair);
  const logout = (how: 'redirect' | 'post', sessionIndex?: string) =>
    idp.createLogoutRequest(partner(), how, {
      logoutNameID: provider.person.nameId,
      ...(sessionIndex && { sessionIndex }),
    });
  const provider: IdentityProvider = {
    url,
    entityId: `${url}/metadata`,
    metadata: idp.getMetadata(),
    get reads() {
      return reads;
    },
    get lastRequest() {
      return lastRequest;
    },
    person: { nameId: 'nobody', attributes: {} },
    trust: (metadata) => {
      sp = samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true });
    },
    rotate: (pair) => {
      idp = make(pair);
      provider.metadata = idp.getMetadata();
    },
    unsolicited: () => respond(undefined),
    logoutUrl: (sessionIndex) => logout('redirect', sessionIndex).context,
    logoutForm: (sessionIndex) => ({ SAMLRequest: logout('post', sessionIndex).context }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}
