import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A client is identified by the id it registered under or by the address of its metadata document.
  await sql`
    create table oauth_clients (
      id text primary key,
      source_id text not null references integration_sources,
      metadata jsonb not null,
      fresh_until timestamptz,
      key_set jsonb,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index oauth_clients_source_index on oauth_clients (source_id)`.execute(db)
  await sql`create index oauth_clients_created_index on oauth_clients (created_at)`.execute(db)

  // A request for consent, bound to the browser that started it; its ticket is set when an account decides.
  await sql`
    create table authorization_requests (
      id_hash bytea primary key,
      browser_hash bytea not null,
      client_id text not null references oauth_clients on delete cascade,
      redirect_uri text not null,
      state text,
      code_challenge text not null,
      scopes text[] not null,
      expires_at timestamptz not null,
      account_id text references accounts on delete cascade,
      granted_scopes text[],
      ticket_hash bytea,
      ticket_expires_at timestamptz
    )`.execute(db)
  await sql`create index authorization_requests_expires_index on authorization_requests (expires_at)`.execute(
    db,
  )
  await sql`create index authorization_requests_client_index on authorization_requests (client_id)`.execute(
    db,
  )

  await sql`
    create table grants (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      client_id text not null references oauth_clients,
      source_id text not null references integration_sources,
      requested_scopes text[] not null,
      scopes text[] not null,
      resource text not null,
      consent_version integer not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index grants_account_index on grants (account_id, id)`.execute(db)
  await sql`create index grants_client_index on grants (client_id)`.execute(db)
  await sql`create index grants_source_index on grants (source_id)`.execute(db)

  await sql`
    create table authorization_codes (
      code_hash bytea primary key,
      grant_id text not null references grants on delete cascade,
      redirect_uri text not null,
      code_challenge text not null,
      expires_at timestamptz not null,
      consumed_at timestamptz
    )`.execute(db)
  await sql`create index authorization_codes_grant_index on authorization_codes (grant_id)`.execute(
    db,
  )

  // A token's validity is a join to its grant, so that one update ends all tokens of a grant.
  await sql`
    create table access_tokens (
      token_hash bytea primary key,
      grant_id text not null references grants on delete cascade,
      scopes text[] not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index access_tokens_grant_index on access_tokens (grant_id)`.execute(db)
  await sql`create index access_tokens_expires_index on access_tokens (expires_at)`.execute(db)

  await sql`
    create table refresh_tokens (
      token_hash bytea primary key,
      grant_id text not null references grants on delete cascade,
      consumed_at timestamptz
    )`.execute(db)
  await sql`create index refresh_tokens_grant_index on refresh_tokens (grant_id)`.execute(db)

  // An assertion is used only once: the second insert of its id fails.
  await sql`
    create table client_assertions (
      client_id text not null,
      jti_hash bytea not null,
      expires_at timestamptz not null,
      primary key (client_id, jti_hash)
    )`.execute(db)
  await sql`create index client_assertions_expires_index on client_assertions (expires_at)`.execute(
    db,
  )
}
