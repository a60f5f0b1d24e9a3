import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { report, tell } from '../../../ui/toasts.js';
import { proposeWrite } from '../../folders/access/propose-write.js';
import { AccessLink } from '../access-link.js';
import { here } from '../here.js';
import { called, lacking, members, read, type Team, write } from '../legacy.js';
import { Card, Shown } from '../list.js';
import { useMyself } from '../myself.js';
import { type Choice, Picker } from '../picker.js';
import { sure } from '../self.js';
import { addition, removal } from './memberships.js';

interface Member {
  readonly userId: number;
  readonly userUID: string;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  /** 4 for an administrator of the team. */
  readonly permission: number;
}

const LEVELS = [
  ['0', 'Member'],
  ['4', 'Team administrator'],
] as const;

interface Props {
  readonly team: Team;
  readonly onChange: () => void;
}

/** Members that are drawn at first, and that each press of the button adds. */
const AT_ONCE = 100;

export function Members({ team, onChange }: Props) {
  const shown = useSignal(AT_ONCE);
  const path = `/api/teams/${team.id}/members`;
  const loading = useLoad((signal) => read<readonly Member[]>(path, {}, signal), [path, team]);
  const unavailable = lacking(team.accessControl, 'teams.permissions:write');
  const myself = useMyself().state.value.value;
  const setLevel = async (member: Member, level: string): Promise<void> => {
    const isSelf = member.userId === myself?.id;
    const text = 'Then you may no longer change the team, unless another role allows it.';
    if (isSelf && level === '0' && !(await sure('Give up rights?', 'Change', text, true))) return loading.reload();
    await write('PUT', `${path}/${member.userId}`, { permission: Number(level) });
    tell(`${called(member)} is ${level === '4' ? 'an administrator' : 'a member'} of the team now.`);
    onChange();
  };
  const remove = async (member: Member): Promise<void> => {
    const isSelf = member.userId === myself?.id;
    await proposeWrite({
      ...(await removal(team, member.userUID)),
      title: `Remove ${called(member)} from the team?`,
      action: 'Remove',
      done: `${called(member)} is not in the team any more.`,
      loss: isSelf ? 'This is your own account. You may lock yourself out.' : undefined,
      where: here(),
      onDone: onChange,
    });
  };
  return (
    <Card title="Members">
      <Shown loading={loading} rows={3}>
        {(all) => (
          <>
            {unavailable === undefined && (
              <AddMember team={team} without={new Set(all.map(({ userUID }) => userUID))} onChange={onChange} />
            )}
            {all.length === 0 && <p class="muted">Nobody is in the team.</p>}
            <ul class="people-plain">
              {all.slice(0, shown.value).map((member) => (
                <li key={member.userUID}>
                  <span class="grow">
                    <Link class="clamped people-name" href={places.user(member.userUID)} dir="auto">
                      {called(member)}
                    </Link>
                    <AccessLink kind="User" name={member.userUID} of={called(member)} />
                  </span>
                  <SelectField
                    label={`What ${called(member)} is in the team`}
                    isLabelHidden
                    value={String(member.permission)}
                    options={LEVELS}
                    disabled={unavailable !== undefined}
                    onValue={(level) => void setLevel(member, level).catch(report)}
                  />
                  <Button
                    unavailable={unavailable}
                    aria-label={`Remove ${called(member)}`}
                    onPress={() => remove(member)}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
            {all.length > shown.value && (
              <Button onPress={() => (shown.value += AT_ONCE)}>
                Show more of the other {(all.length - shown.value).toLocaleString()}
              </Button>
            )}
          </>
        )}
      </Shown>
    </Card>
  );
}

function AddMember(props: {
  readonly team: Team;
  readonly without: ReadonlySet<string>;
  readonly onChange: () => void;
}) {
  const { team, without, onChange } = props;
  const find = async (query: string, signal: AbortSignal): Promise<readonly Choice[]> => {
    const { items } = await members({ query, page: 1, perpage: 6 }, signal);
    return items.map((one) => ({ key: one.uid, label: called(one), hint: one.email }));
  };
  return (
    <Picker
      label="Add a member"
      find={find}
      without={without}
      onChoose={async ({ key, label }) => {
        await proposeWrite({
          ...addition(team, key),
          title: `Add ${label} to the team?`,
          action: 'Add',
          done: `${label} is in the team now.`,
          where: here(),
          onDone: onChange,
        });
      }}
    />
  );
}
