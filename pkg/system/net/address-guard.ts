import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isListed, networkList } from './networks.js';

/** Networks that are not part of the internet: this machine, private networks, and addresses with a special meaning. */
const INTERNAL = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

/** The address is not one that may be asked. The message has the address. */
export class ForbiddenAddress extends Error {
  /** The name of the setting that can list the address. */
  readonly setting: string;
  /** Without encryption, also addresses of the internet must be listed. */
  readonly isUnencrypted: boolean;

  constructor(address: string, setting: string, isUnencrypted = false) {
    const why = isUnencrypted ? 'asked without encryption' : 'internal';
    super(`the address ${address} is ${why}, and not in the setting ${setting}`);
    this.setting = setting;
    this.isUnencrypted = isUnencrypted;
  }
}

/** Decides which addresses may be asked: those of the internet, and those in the networks that are listed. */
export interface AddressGuard {
  allows(address: string): boolean;
  /** Throws ForbiddenAddress for a host that is an address which may not be asked. A name is looked up later. */
  checkHost(url: string): void;
  /**
   * What `checkHost` would throw, and who can change it, in words for people. Also for names of this machine, which
   * need no look-up. Undefined for what is no address of the web.
   */
  problem(url: string): string | undefined;
  /**
   * Looks up a name for a connection. What it gives is what the connection uses, so a name cannot have another address
   * in between.
   */
  readonly lookup: LookupFunction;
}

interface GuardOptions {
  readonly find?: typeof lookup;
  /** Addresses of the internet may be asked only if they are listed, too: for requests that are not encrypted. */
  readonly listedOnly?: boolean;
}

/** `setting` is the name of the list, for messages. Throws TypeError for what is not a network. */
export function addressGuard(
  networks: readonly string[],
  setting: string,
  { find = lookup, listedOnly = false }: GuardOptions = {},
): AddressGuard {
  const listed = networkList(networks);
  const allows = (address: string): boolean =>
    isListed(listed, address) || (!listedOnly && !isListed(INTERNAL, address));
  const forbidden = (address: string): ForbiddenAddress => new ForbiddenAddress(address, setting, listedOnly);
  return {
    allows,
    checkHost: (url) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !allows(host)) throw forbidden(host);
    },
    problem: (url) => {
      if (!URL.canParse(url)) return undefined;
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      const address = LOCAL_NAME.test(host) ? '127.0.0.1' : host;
      return isIP(address) !== 0 && !allows(address) ? withAdvice(forbidden(address)) : undefined;
    },
    lookup: (hostname, options, callback) => {
      const all: LookupAllOptions = { ...(options as LookupAllOptions), all: true };
      find(hostname, all, (error, found) => {
        const addresses = (found ?? []).filter(({ address }) => allows(address));
        const [first] = addresses;
        if (error !== null) callback(error, []);
        else if (first === undefined) callback(forbidden(listOf(found)), []);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}

const withAdvice = ({ message }: ForbiddenAddress): string =>
  `${message}. The operator of this server can allow it there`;

/** The names of this machine (RFC 6761). */
const LOCAL_NAME = /^(?:.+\.)?localhost\.?$/;

const listOf = (found: readonly LookupAddress[]): string => found.map(({ address }) => address).join(', ');
