# Tabard. `make` lists what there is; each target sets up what it needs (scripts/setup) and says so.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# Which agent the demonstration runs: this machine's, or the 64-bit Raspberry Pi's under emulation.
AGENT ?= $(shell uname -m)
PYTHON := build/venv/bin/python
board_of_x86_64 := generic-x86-64
board_of_aarch64 := generic-aarch64

.PHONY: help setup build release-tabardctl deb deb-test image test units histories rig demo demo-agent tabardctl-debug boards vm-smoke vm-media vm-system vm-card vm-kills vm-bluez bench bench-scale fuzz spark sim sim-new sim-faults sim-flood sim-venue sim-thief sim-attackers sim-clocks sim-outbreak formal duty formal-schemes powercut flips build-sim nightly weekly pictures docs lint format clean \
	distclean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install all that building and testing needs (apt, and Python packages in build/venv)
	@scripts/setup host rig boards vm bench

build: release-tabardctl ## The operator's tool and this machine's agent, optimised, in build/bin
	@boards/build $(board_of_$(shell uname -m))
	@mkdir -p build/bin
	@cp .build/release/tabardctl build/boards/$(board_of_$(shell uname -m))/tabard{,-commands} build/bin/
	@ls -l build/bin/tabard build/bin/tabardctl

# The operator's tool as its package has it: without libraries of the compiler's folder, so that it runs without Swift, and
# without this folder's path. (The compiler still writes the lengths of two paths into it.)
REPRODUCIBLE := -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map \
	-Xswiftc $(CURDIR)=. -Xlinker --build-id=none -Xlinker --no-export-dynamic

release-tabardctl:
	@scripts/setup host boards
	@packaging/static-libraries
	@scripts/quietly build-tabardctl 'Build of product|Compiling|^$$' swift build -c release --product tabardctl \
		--static-swift-stdlib -Xlinker -L$(CURDIR)/build/packages/static $(REPRODUCIBLE) | tail -n 2

deb: release-tabardctl ## Debian packages of both programs, and tarballs, in build/packages
	@boards/build generic-aarch64 generic-x86-64 raspberry-pi-zero-w
	@packaging/build

deb-test: deb ## The packages on clean Debian systems: installation, upgrade, removal, purge; lintian; the same bytes twice, also of an image
	@scripts/setup rig packages image
	@packaging/clean-systems
	@$(PYTHON) -m pytest -q --tb=short Tests/Packages

BOARD ?= generic-aarch64

image: ## A bootable Debian with Tabard for boards with EFI, BOARD=generic-aarch64 or generic-x86-64 (IMAGE_OPTIONS=…)
	@scripts/setup host boards image
	@boards/build $(sort $(BOARD) $(board_of_$(shell uname -m)))
	@packaging/build tabard_$(if $(filter generic-aarch64,$(BOARD)),arm64,amd64)
	@packaging/image $(IMAGE_OPTIONS) $(BOARD)

# What `make test` has shown of Herald's clauses goes to docs/herald-conformance.md.
CLAUSE_RESULTS := build/conformance

test: units rig ## All tests: units, then the real agent among virtual phones
	@$(PYTHON) Tests/Conformance/conformance.py --units $(CLAUSE_RESULTS)/units.jsonl --rig $(CLAUSE_RESULTS)/rig.jsonl

units:
	@scripts/setup host
	@mkdir -p $(CLAUSE_RESULTS) && rm -f $(CLAUSE_RESULTS)/units.jsonl
	@scripts/quietly units 'Test run with|Executed [1-9]' swift test --event-stream-output-path $(CLAUSE_RESULTS)/units.jsonl

# The rig lives in real time and mostly waits, so several of its tests run at a time.
RIG_PROCESSES ?= -n 4 --dist loadgroup

HISTORIES ?= 200

histories: ## Stored encounters after each step of HISTORIES=200 random histories (make test has 50)
	@scripts/setup host
	@TABARD_HISTORIES=$(HISTORIES) scripts/quietly histories 'Test run with|Executed [1-9]' swift test --filter StoredEncounterTests

rig:
	@scripts/setup host rig boards vm
	@boards/build generic-x86-64
	@$(MAKE) tabardctl-debug
	@scripts/quietly build-tabard-sim-debug 'Build of product' swift build --product tabard-sim
	@TABARD_AGENT=build/boards/generic-x86-64/tabard $(PYTHON) -m pytest -q --tb=short $(RIG_PROCESSES) --clause-results $(CLAUSE_RESULTS)/rig.jsonl \
		Tests/Rig Tests/Conformance Tests/Benchmarks Tests/Structure

demo: ## Agent and phones on a virtual air, synced and reported (AGENT=x86_64 or aarch64)
	@: $(or $(board_of_$(AGENT)),$(error AGENT=$(AGENT): x86_64 or aarch64))
	@scripts/setup host
	@# The tool is built while packages are fetched and the agent is built.
	@$(MAKE) -j 2 demo-agent tabardctl-debug
	@$(PYTHON) Tests/Rig/demo.py --agent build/boards/$(board_of_$(AGENT))/tabard

demo-agent:
	@scripts/setup host rig boards
	@boards/build $(board_of_$(AGENT))

tabardctl-debug:
	@scripts/quietly build-tabardctl-debug 'Build of product' swift build --product tabardctl

boards: ## The agent for every board, in build/boards, with its proofs and selftests
	@scripts/setup host boards
	@boards/build

vm-smoke: ## The 64-bit ARM agent on a real Linux kernel's Bluetooth, in an emulated machine
	@scripts/setup host rig boards vm
	@boards/build generic-aarch64
	@$(MAKE) tabardctl-debug
	@$(PYTHON) Tests/BoardVM/smoke.py

vm-media: ## Logs on flash (MTD) and on a block device, on a real Linux kernel for 32-bit ARM, in an emulated machine
	@scripts/setup host rig boards vm
	@boards/build generic-armv7
	@$(MAKE) tabardctl-debug
	@$(PYTHON) Tests/BoardVM/media.py

vm-system: ## The image of `make image` with its own systemd, in an emulated machine: set up over USB, troubles mended, power cut
	@scripts/setup host rig boards image vm system
	@boards/build generic-aarch64 generic-x86-64
	@packaging/build tabard_arm64
	@$(MAKE) tabardctl-debug
	@$(PYTHON) Tests/BoardVM/system.py

vm-card: ## A card of tabardctl prepare, at its first boot in an emulated machine, makes a beacon of it
	@scripts/setup host rig boards image vm system
	@boards/build generic-aarch64
	@packaging/build tabard_arm64
	@$(MAKE) tabardctl-debug
	@$(PYTHON) Tests/BoardVM/card.py

KILLS ?= 50

vm-kills: ## The power of an emulated PC with that image is cut KILLS=50 times while it records (KILL_OPTIONS=…)
	@scripts/setup host rig boards image vm system
	@boards/build generic-x86-64
	@packaging/build tabard_amd64
	@$(MAKE) tabardctl-debug
	@$(PYTHON) Tests/BoardVM/kills.py --count $(KILLS) $(KILL_OPTIONS)

vm-bluez: ## BlueZ on a real Linux kernel, in an emulated machine, as the agent's client (part of make test)
	@scripts/setup host rig boards vm
	@boards/build generic-x86-64
	@scripts/quietly build-tabardctl-debug 'Build of product' swift build --product tabardctl
	@TABARD_AGENT=build/boards/generic-x86-64/tabard $(PYTHON) -m pytest -q --tb=short Tests/Rig/test_bluez.py

bench: ## The images' sizes; the cost of a report, alone and in the whole agent; wakes in an empty room; processor time by duty; the longest step; sync, schemes, log; archives of the operator
	@scripts/setup host rig boards bench
	@boards/build generic-aarch64 generic-x86-64 raspberry-pi-zero-w
	@$(MAKE) release-tabardctl build-sim
	@# All of it is measured and printed, whatever misses its goal; then that fails.
	@export TABARD_CTL=.build/release/tabardctl TABARD_SIM=$(TABARD_SIM); missed=0; \
	measure() { $(PYTHON) Tests/Benchmarks/"$$@" || missed=1; }; \
	measure sizes.py; \
	measure scan.py; \
	measure reports.py --agent build/boards/generic-x86-64/tabard; \
	measure empty_room.py --agent build/boards/generic-x86-64/tabard; \
	measure duty.py --agent build/boards/generic-x86-64/tabard; \
	measure sync.py --agent build/boards/generic-x86-64/tabard; \
	measure steps.py; \
	measure schemes.py; \
	measure log.py; \
	measure host.py; \
	exit $$missed

bench-scale: ## The same for an archive of 10,000,000 encounters, which stays in build/bench: 15 GB of disk, and an hour the first time
	@scripts/setup host bench
	@$(MAKE) release-tabardctl build-sim
	@TABARD_CTL=.build/release/tabardctl TABARD_SIM=$(TABARD_SIM) $(PYTHON) Tests/Benchmarks/host.py --encounters 10000000 --keep build/bench

fuzz: ## Fuzz all that reads bytes from outside (FUZZ_SECONDS=20 each; TARGET=name for one)
	@scripts/setup host
	@Tests/Fuzz/fuzz $(TARGET)

SEEDS ?= 1000
# Several times as fast as with the ordinary flags: generic fixed memory is specialised across modules.
SIM_FLAGS := -Xswiftc -cross-module-optimization -Xswiftc -enforce-exclusivity=unchecked
TABARD_SIM := .build/sim/release/tabard-sim
COMMIT = $(shell git rev-parse --short HEAD 2>/dev/null || echo unknown)$(shell git diff --quiet HEAD 2>/dev/null || echo -dirty)

sim: build-sim ## The agent in SEEDS=1000 simulated worlds where things fail; SEED=n replays one
	@$(TABARD_SIM) run --commit $(COMMIT) $(if $(SEED),--seed $(SEED),--seeds $(SEEDS)) $(SIM_OPTIONS)

NEW_SEEDS ?= 1000

sim-new: build-sim ## The same with NEW_SEEDS=1000 seeds that no run had before, and counts them in docs/seeds.csv
	@scripts/new-seeds $(NEW_SEEDS)

FAULT_SEEDS ?= 50
SPARSE_SEEDS ?= 4

sim-faults: build-sim ## Each fault of the radio in FAULT_SEEDS=50 rooms, silences of hours, weeks of empty and sparse rooms, and floods
	@$(TABARD_SIM) faults --commit $(COMMIT) --seeds $(FAULT_SEEDS)
	@$(TABARD_SIM) silence --commit $(COMMIT)
	@$(TABARD_SIM) empty --commit $(COMMIT)
	@$(TABARD_SIM) sparse --commit $(COMMIT) --seeds $(SPARSE_SEEDS)
	@$(TABARD_SIM) flood --commit $(COMMIT)

sim-flood: build-sim ## Four hours of floods that would push the evidence out of the log (FLOOD_OPTIONS=…)
	@$(TABARD_SIM) flood --commit $(COMMIT) $(or $(FLOOD_OPTIONS),--minutes 240)

sim-venue: build-sim ## Four weeks of a venue with 300 visitors a day (six minutes; VENUE_OPTIONS=…)
	@$(TABARD_SIM) venue --commit $(COMMIT) $(VENUE_OPTIONS)

sim-thief: build-sim ## What a thief reads in the medium of a board after a busy day: nothing
	@$(TABARD_SIM) thief --commit $(COMMIT)

ATTACK_SEEDS ?= 100

sim-attackers: build-sim ## ATTACK_SEEDS=100 rooms twice, with radio attackers and with harmless devices: the same is recorded of honest phones
	@$(TABARD_SIM) attackers --commit $(COMMIT) --jobs $(shell nproc) $(if $(SEED),--seed $(SEED),--seeds $(ATTACK_SEEDS))

sim-clocks: build-sim ## Clocks that are stale, ahead, behind or missing erase nothing that is young
	@$(TABARD_SIM) clocks --commit $(COMMIT)

sim-outbreak: build-sim ## An illness among wearers by each scheme: who met the patient finds it, nobody else does (OUTBREAK_OPTIONS=…)
	@$(TABARD_SIM) outbreak --commit $(COMMIT) $(OUTBREAK_OPTIONS)

# SEEDS is for `make sim`, too, where a thousand are the rule.
FORMAL_SEEDS = $(if $(filter file,$(origin SEEDS)),20,$(SEEDS))

formal: build-sim ## Herald's formal test in SEEDS=20 simulated rooms, and a quiet day of a venue
	@$(TABARD_SIM) formal --commit $(COMMIT) --seeds $(FORMAL_SEEDS) --jobs $(shell nproc) $(FORMAL_OPTIONS)
	@$(TABARD_SIM) quiet-day --commit $(COMMIT)

DUTY_SEEDS ?= 30
DUTY_FORMAL_SEEDS ?= 5

duty: build-sim ## What radio.duty finds and costs: DUTY_SEEDS=30 working days of a wearer, and the formal test
	@$(TABARD_SIM) work-day --commit $(COMMIT) --seeds $(DUTY_SEEDS)
	@for duty in balanced saver; do $(TABARD_SIM) formal --commit $(COMMIT) --who tabard --devices 10 --duty $$duty \
		--seeds $(DUTY_FORMAL_SEEDS) --jobs $(shell nproc) || exit; done

formal-schemes: build-sim ## What all five schemes at once take of Herald's continuity: the same rooms twice (FORMAL_OPTIONS=…)
	@$(TABARD_SIM) formal --commit $(COMMIT) --compare --seeds $(FORMAL_SEEDS) --jobs $(shell nproc) $(FORMAL_OPTIONS)

powercut: build-sim ## Power cut in every operation of a log, and again while it recovers (POWERCUT_OPTIONS=--quick: some)
	@$(TABARD_SIM) powercut --commit $(COMMIT) --jobs $(shell nproc) $(POWERCUT_OPTIONS)

flips: build-sim ## Flipped bits and damaged pages in a log: what they cost, and that it is said
	@$(TABARD_SIM) flips --commit $(COMMIT)

SPARK_SEEDS ?= 20

spark: ## The Spark job beside tabardctl on random archives, row for row (docs/scale.md; SPARK_SEEDS=…)
	@scripts/setup host spark
	@$(MAKE) tabardctl-debug
	@build/spark-venv/bin/python Tests/Spark/differential.py --seeds $(SPARK_SEEDS)

nightly: ## What the build server runs in part, at full size; resumes where it was interrupted (docs/ci.md)
	@scripts/setup host rig boards vm bench
	@scripts/nightly

weekly: ## The same, and the simulations that take hours
	@scripts/setup host rig boards vm bench
	@scripts/nightly --weekly

build-sim:
	@scripts/setup host
	@scripts/quietly build-sim 'Build of product' swift build -c release --scratch-path .build/sim --product tabard-sim $(SIM_FLAGS)

pictures: ## Those of report and dashboard in docs/pictures, anew
	@scripts/setup host rig
	@$(MAKE) tabardctl-debug
	@scripts/quietly build-tabard-sim-debug 'Build of product' swift build --product tabard-sim
	@$(PYTHON) Tests/Rig/pictures.py

docs: ## API pages of the library modules, in build/docs
	@scripts/setup host
	@scripts/api-pages

lint: ## Check the style of all Swift sources, and their shape against limits (scripts/check-structure)
	@swift format lint --strict --recursive --parallel Sources Tests Package.swift
	@scripts/check-structure
	@echo "lint: clean"

format: ## Put all Swift sources into that style
	@swift format --in-place --recursive --parallel Sources Tests Package.swift

clean: ## Remove what was built; downloads and the Python environment stay
	@rm -rf .build build/boards build/bin build/demo build/fuzz build/logs

distclean: ## Remove everything that is not in the repository
	@rm -rf .build build
