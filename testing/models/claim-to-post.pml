/*
 * From the claim to the post: one task in two versions, one target at a platform that does not dedupe and can be asked.
 * Two clients, two relays, two consumers, two senders; the faults are drawn from one budget (FAULTS, of any kind, at
 * any moment). A pause is no fault of its own: every interleaving is looked at, so each process may stand still at
 * each step while all others go on.
 *
 * What must hold in every state: one task, one post at most, and a ledger that claims what the platform shows. What
 * must hold at every end: the newest version is out, everything is settled.
 *
 * Each -DWITHOUT_… takes one safeguard out; check.sh holds that the model then fails.
 */

#ifndef FAULTS
#define FAULTS 2
#endif
#define VERSIONS 2
#define ROWS_MAX 4
#define TOPIC_MAX 12

/* ---- ingest: the row and its event, in one transaction ---- */
byte task = 0;              /* the committed version; 0: no such task */
byte made = 0;              /* rows of this identity */
byte rows = 0;              /* outbox rows 1..rows, in the order of their commits */
byte version[ROWS_MAX + 1];

/* ---- relay: who publishes, and what is known to be on the topic ---- */
byte holder = 0;
bool publishing = false;    /* Relay(1) is at work. Idle ones are alike, so the second begins only beside the first. */
bool leads[3];              /* whose epoch is the present one: an epoch number, without the number */
byte position = 0;

byte topic[TOPIC_MAX];
byte tail = 0;

/* ---- the dispatcher's consumer group, its gate, and what the post should show ---- */
byte assigned = 1;
bool member[3];             /* who polled in the present generation */
byte offset = 0;
byte watermark = 0;
byte desired = 0;

/* ---- the effect ledger: one target ---- */
byte lease = 0;
bool sending_busy = false;  /* Sender(1) is at work; as for the relays */
bool holds[3];              /* whose token is the present one: a rising number, without the number */
bool open = false;          /* whether an attempt is frozen */
bool wrote[3];              /* whose attempt it is that is open, or was last */
byte wanted = 0;            /* the version that the open attempt sends */
bool through = false;       /* its sender certainly sends nothing more */
bool absent = false;        /* one complete look-up after that did not find it */
byte shown = 0;

/* ---- the platform ---- */
byte posts = 0;
byte public = 0;            /* the version that readers see */
byte flying = 0;
chan net = [3] of { byte, bool, byte };     /* version, create, sender */
bool answered[3];           /* whether the request that this sender waits for was answered */

byte faults = FAULTS;

#define fault atomic { faults > 0 -> faults-- }

/* Two clients ask for the same task; the second one changes it afterwards. An answer may be lost: they ask again. */
proctype Client(byte me) {
    byte seen;
again:
#ifdef WITHOUT_UNIQUE
    seen = task;            /* look, then insert */
    atomic {
        if
        :: seen == 0 -> task = 1; made++; rows++; version[rows] = 1
        :: else -> skip
        fi
    };
#else
    atomic {                /* a unique constraint: the loser finds the winner's row, and answers with it */
        if
        :: task == 0 -> task = 1; made++; rows++; version[rows] = 1
        :: else -> skip
        fi
    };
#endif
    assert(made == 1);
    if
    :: fault -> goto again  /* crashed after the commit, or the answer was lost */
    :: me == 1 -> goto done
    :: me == 2
    fi;
update:
    atomic {                /* under the row's lock; the same change again is a replay */
        if
        :: task == 1 -> task = 2; rows++; version[rows] = 2
        :: else -> skip
        fi
    };
    if
    :: fault -> goto update
    :: true
    fi;
done:
    skip
}

/* Publishes in the order of the commits, from the lowest row that is not known to be there. */
proctype Relay(byte me) {
    byte next, last;
end_standby:
    atomic {
        position < rows && holder != me && (holder == 0 || faults > 0) && (me == 1 || publishing);
        if
        :: holder == 0 -> skip
        :: holder != 0 -> faults--                  /* its claim ran out; it does not know it yet */
        fi;
        holder = me; leads[3 - me] = false; leads[me] = true; next = position + 1; last = rows;
        if :: me == 1 -> publishing = true :: else -> skip fi
    };
#ifdef WITHOUT_ACKS_FIRST
    atomic { if :: leads[me] -> position = last :: else -> skip fi };
#endif
    do
    :: atomic { next <= last -> assert(tail < TOPIC_MAX); topic[tail] = version[next]; tail++; next++ }
    :: fault -> goto crash
    :: next > last -> break
    od;
    atomic {                /* the position moves after the acknowledgements, and under the claim's epoch only */
        if
        :: leads[me] -> if :: position < last -> position = last :: else -> skip fi; holder = 0; leads[me] = false
        :: else -> skip
        fi;
        next = 0; last = 0; if :: me == 1 -> publishing = false :: else -> skip fi
    };
    goto end_standby;
crash:
    atomic {
        if
        :: holder == me -> holder = 0; leads[me] = false
        :: else -> skip
        fi;
        next = 0; last = 0; if :: me == 1 -> publishing = false :: else -> skip fi
    };
    goto end_standby
}

/* Takes one record at a time from the group's offset. A rebalance gives the partition away while one is in hand. */
proctype Consumer(byte me) {
    byte at, version_in_hand;
end_poll:
    if
    :: atomic {
        assigned == me && offset < tail -> at = offset; version_in_hand = topic[at]; member[me] = true
       }
    :: atomic {
        assigned == me && offset < tail && faults > 0 -> faults--; assigned = 3 - me; member[1] = false; member[2] = false; goto end_poll
       }
    fi;
#ifdef WITHOUT_WRITE_BEFORE_OFFSET
    atomic { if :: member[me] -> offset = at + 1 :: else -> skip fi };
#endif
    do
    :: fault -> goto crash
    :: atomic { faults > 0 && assigned == me -> faults--; assigned = 3 - me; member[1] = false; member[2] = false }
    :: atomic {             /* gate, watermark and target in one transaction */
        if
#ifdef WITHOUT_GATE
        :: true -> watermark = version_in_hand; desired = version_in_hand
#else
        :: version_in_hand > watermark -> watermark = version_in_hand; desired = version_in_hand
        :: else -> skip
#endif
        fi;
        break
       }
    od;
    if
    :: fault -> goto crash
    :: atomic {             /* Kafka takes an offset from a member of the present generation only */
        if
        :: member[me] && offset <= at -> offset = at + 1
        :: else -> skip
        fi;
        at = 0; version_in_hand = 0; member[me] = false
       }
    fi;
    goto end_poll;
crash:
    atomic { at = 0; version_in_hand = 0; member[me] = false };
    goto end_poll
}

/* Something can be done about the target: a send, or a look-up that may settle something. */
#define found_now (public == wanted)
#define due ((!open && desired != shown) \
    || (open && (found_now || (through && !absent) || (through && absent && flying == 0))))

#define idle if :: me == 1 -> sending_busy = false :: else -> skip fi

#ifdef WITHOUT_FENCING
#define fenced false
#else
#define fenced (!holds[me])
#endif

/* Claims the target; writes the attempt; sends; records. After a takeover: asks first. */
proctype Sender(byte me) {
    byte sending;
    bool create, found, proved, quiet, ok;
end_idle:
    atomic {
        due && lease != me && (lease == 0 || faults > 0) && (me == 1 || sending_busy);
        if
        :: lease == 0 -> skip
        :: lease != 0 -> faults--                   /* the lease ran out; its holder does not know it yet */
        fi;
        lease = me; holds[3 - me] = false; holds[me] = true;
        if :: me == 1 -> sending_busy = true :: else -> skip fi
    };
    if
    :: fault -> goto crash
    :: atomic {
        if
        :: fenced -> idle; goto end_idle
        :: !fenced && open -> goto ask
        :: !fenced && !open && desired == shown -> lease = 0; holds[me] = false; idle; goto end_idle
        :: !fenced && !open && desired != shown -> sending = desired; create = (shown == 0)
        fi;
#ifndef WITHOUT_WRITE_AHEAD
        open = true; wanted = sending; wrote[3 - me] = false; wrote[me] = true; through = false; absent = false;
#endif
        answered[me] = false
       }
    fi;
    if
    :: fault -> goto crash
    :: atomic { flying++; net ! sending, create, me }
    fi;
    if
    :: fault -> goto crash
    :: answered[me] -> ok = true
    :: fault -> ok = false                          /* no answer in time; it may come late, or never */
    fi;
    if
    :: fault -> goto crash
    :: atomic {
        if
        :: fenced ->                                /* moves nothing; that the sender is through is a proof */
            if
            :: open && wrote[me] -> through = true
            :: else -> skip
            fi
        :: !fenced && ok -> shown = sending; open = false; lease = 0; holds[me] = false
        :: !fenced && !ok ->
            if
            :: open && wrote[me] -> through = true
            :: else -> skip
            fi;
            lease = 0; holds[me] = false
        fi;
        sending = 0; create = false; ok = false; answered[me] = false; idle
       }
    fi;
    goto end_idle;

ask:
    atomic { found = found_now; proved = through; quiet = (flying == 0) };
    if
    :: fault -> goto crash
    :: atomic {
        if
        :: fenced || !open -> skip
        :: !fenced && open && found -> shown = wanted; open = false
        :: !fenced && open && !found ->
            /* absence: two complete look-ups after the sender's end, the second past the settling time */
            if
            :: proved && absent && quiet -> open = false
            :: proved && !absent -> absent = true
            :: else -> skip
            fi
        fi;
        if
        :: !fenced && lease == me -> lease = 0; holds[me] = false
        :: else -> skip
        fi;
        found = false; proved = false; quiet = false; idle
       }
    fi;
    goto end_idle;

crash:
    atomic {                /* seen to be gone on its host: its leases end, and it sends nothing more */
        if
        :: open && wrote[me] -> through = true
        :: else -> skip
        fi;
        if
        :: lease == me -> lease = 0
        :: else -> skip
        fi;
        holds[me] = false; answered[me] = false;
        sending = 0; create = false; found = false; proved = false; quiet = false; ok = false; idle
    };
    goto end_idle
}

/* Acts on what arrives, in any order and as late as it likes, within the settling time. */
proctype Platform() {
    byte sending, from;
    bool create;
end:
    do
    :: atomic {
        net ?? sending, create, from ->
        flying--;
        if
        :: create -> posts++; assert(posts == 1)
        :: else -> skip
        fi;
        public = sending;
        answered[from] = true;
        sending = 0; create = false; from = 0
       }
    od
}

/* I8: while nothing is in doubt, the ledger claims exactly what readers see. */
active proctype Truth() {
end:
    atomic { !open && shown != public && flying == 0 -> assert(false) }
}

/* When nothing moves any more: the newest version is out, once, and everything is settled. */
active proctype Audit() {
    timeout ->
    assert(made == 1 && task == VERSIONS);
    assert(desired == task);
    assert(!open && shown == task);
    assert(posts == 1 && public == task);
    assert(offset == tail && position == rows)
}

init {
    atomic {
        run Client(1); run Client(2);
        run Relay(1); run Relay(2);
        run Consumer(1); run Consumer(2);
        run Sender(1); run Sender(2);
        run Platform()
    }
}
