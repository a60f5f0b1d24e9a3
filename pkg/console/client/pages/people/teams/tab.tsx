import { ownResource } from '../../../lib/discovery.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Empty } from '../../../ui/states.js';
import { type Address, useAddress } from '../address.js';
import { type Team, teams } from '../legacy.js';
import { Name } from '../list.js';
import { Listing } from '../listing.js';
import { EditTeam } from './edit.js';
import { TeamPage } from './team.js';

/** The teams of the organization that the caller may see. */
export function TeamsTab() {
  const address = useAddress();
  return address.open === undefined ? <Teams address={address} /> : <TeamPage name={address.open} address={address} />;
}

const KINDS = ['teams', 'teambindings'] as const;

function Teams({ address }: { readonly address: Address }) {
  const create = useMay('create', ownResource('iam', 'teams'), { namespace: namespace.value });
  return (
    <Listing
      address={address}
      label="Search teams"
      load={teams}
      kinds={KINDS}
      table={(items) => <TeamTable teams={items} address={address} />}
      empty={
        <Empty title={address.query === '' ? 'No teams' : 'No team is called so'}>
          <p>
            {create.allowed === true
              ? 'A team gets permissions as a whole. Create one and add its members.'
              : 'You see teams that you are in.'}
          </p>
        </Empty>
      }
      creating={create.allowed === true ? 'New team' : undefined}
      form={(close) => <EditTeam onClose={close} onDone={(uid) => address.set({ open: uid })} />}
    />
  );
}

function TeamTable({ teams: all, address }: { readonly teams: readonly Team[]; readonly address: Address }) {
  return (
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="wide">
              E-mail
            </th>
            <th scope="col" class="narrow end">
              Members
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ uid, name, email, memberCount }) => (
            <tr key={uid}>
              <td>
                <Name to={address.to(uid)} text={name} />
              </td>
              <td class="wide">{email}</td>
              <td class="narrow end">{memberCount.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
