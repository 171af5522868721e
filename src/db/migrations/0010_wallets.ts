import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createWallets(db)
  await createReservations(db)
  await createPayments(db)
  await indexUsage(db)
}

async function createWallets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallets (
      workspace_id text primary key references workspaces on delete cascade,
      balance_credits bigint not null default 0,
      reserved_credits bigint not null default 0,
      entry_count bigint not null default 0,
      updated_at timestamptz not null,
      constraint wallets_reserved_check check (reserved_credits >= 0)
    )`.execute(db)

  // A trigger creates the wallet together with its workspace, so that none is ever without one.
  await sql`
    create function add_wallet() returns trigger language plpgsql as $$
    begin
      insert into wallets (workspace_id, updated_at) values (new.id, new.created_at);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger workspaces_add_wallet after insert on workspaces
      for each row execute function add_wallet()`.execute(db)
  await sql`
    insert into wallets (workspace_id, updated_at) select id, created_at from workspaces`.execute(
    db,
  )

  // The ledger. Entries of a wallet are numbered without a gap, in the order of their balances.
  await sql`
    create table wallet_entries (
      id text primary key,
      workspace_id text not null references workspaces,
      number bigint not null,
      type text not null,
      credits integer not null,
      balance_after bigint not null,
      reference text not null,
      reason text,
      created_at timestamptz not null,
      constraint wallet_entries_number_key unique (workspace_id, number),
      constraint wallet_entries_reference_key unique (workspace_id, type, reference),
      constraint wallet_entries_type_check check
        (type in ('PURCHASE', 'REFUND', 'USAGE', 'ADJUSTMENT')),
      constraint wallet_entries_sign_check check (case type
        when 'PURCHASE' then credits > 0
        when 'ADJUSTMENT' then credits <> 0
        else credits < 0 end)
    )`.execute(db)
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'wallet_entries is append-only';
    end $$`.execute(db)
  await sql`
    create trigger wallet_entries_append_only before update or delete or truncate on wallet_entries
      for each statement execute function refuse_ledger_change()`.execute(db)
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reservations (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      credits integer not null,
      reference text not null,
      status text not null default 'HELD',
      usage jsonb,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      constraint reservations_reference_key unique (workspace_id, reference),
      constraint reservations_credits_check check (credits > 0),
      constraint reservations_status_check check (status in ('HELD', 'SETTLED', 'RELEASED')),
      constraint reservations_ended_check check ((ended_at is null) = (status = 'HELD'))
    )`.execute(db)
  await sql`
    create index reservations_held_index on reservations (workspace_id, expires_at)
      where status = 'HELD'`.execute(db)
}

async function createPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table checkouts (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      account_id text references accounts on delete set null,
      credits integer not null,
      amount_cents integer not null,
      currency text not null,
      session_id text,
      refunded_credits integer not null default 0,
      created_at timestamptz not null,
      paid_at timestamptz,
      constraint checkouts_credits_check check (credits > 0 and amount_cents > 0),
      constraint checkouts_refunded_check check (refunded_credits between 0 and credits)
    )`.execute(db)
  await sql`create index checkouts_workspace_index on checkouts (workspace_id)`.execute(db)

  // What is known of a payment before its checkout is known: a refund may arrive first. Every event of a
  // payment locks this row, so that two concurrent events cannot miss each other.
  await sql`
    create table payment_intents (
      id text primary key,
      checkout_id text references checkouts on delete cascade,
      amount_cents integer,
      refunded_cents integer not null default 0
    )`.execute(db)
  await sql`create index payment_intents_checkout_index on payment_intents (checkout_id)`.execute(
    db,
  )

  // Each verified event by its own id: a repeated one does nothing.
  await sql`
    create table payment_events (
      id text primary key,
      type text not null,
      checkout_id text,
      payment_intent text,
      outcome text not null,
      received_at timestamptz not null
    )`.execute(db)
}

/** Reports read only the index; it replaces the narrower one. */
async function indexUsage(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index usage_events_report_index on usage_events (workspace_id, created_at, id)
      include (actor_type, user_id, event_name, status, credit_delta, comprehensive)`.execute(db)
  await sql`drop index usage_events_workspace_index`.execute(db)
}
