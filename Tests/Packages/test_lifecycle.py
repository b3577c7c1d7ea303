"""Installation, upgrade, removal and purge on clean Debian systems."""

from conftest import EARLIER, VERSION, System, package

STATE = ("var/lib/private/tabard/encounters.log", "var/lib/private/tabard/encounters.log.keys")
UPDATES = ("var/lib/private/tabard/update.record", "var/lib/private/tabard/update.1")


def recorded(system: System) -> None:
    """Leaves what a board has that has run and was updated over the cable."""
    for name in STATE + UPDATES:
        path = system.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (system.folder / "var/lib/tabard").symlink_to("private/tabard")


def test_the_agent_is_installed_with_its_service(system: System) -> None:
    """The program runs, and its service starts at the next boot."""
    system.install(package("tabard"))
    assert system.run("tabard", "--version").stdout.split()[1] == VERSION
    assert "self-test passed" in system.run("tabard", "selftest").stdout
    for unit in ("tabard.service", "tabard-panel.service"):
        assert (system.folder / "etc/systemd/system/multi-user.target.wants" / unit).is_symlink()


def test_the_units_are_valid(system: System) -> None:
    """systemd finds nothing wrong in the units, and rates the agent's exposure at 1.7 at most, the panel's at 3.0."""
    system.install(package("tabard"))
    for unit in ("tabard.service", "tabard-panel.service", "tabard-gadget.service", "tabard-metrics.service", "tabard-metrics.timer"):
        verified = system.run("systemd-analyze", "verify", "--man=no", f"/usr/lib/systemd/system/{unit}", check=False).stdout
        assert [line for line in verified.splitlines() if "tabard" in line] == []
    for unit, limit in (("tabard.service", 1.7), ("tabard-panel.service", 3.0)):
        path = f"/usr/lib/systemd/system/{unit}"
        rated = system.run("systemd-analyze", "security", "--offline=true", path, check=False).stdout
        exposure = float(rated.split("Overall exposure level for")[1].split(":")[1].split()[0])
        assert exposure <= limit, rated


def test_the_configuration_of_the_package_is_accepted(system: System) -> None:
    """The configuration file is one that the program of the same package takes."""
    system.install(package("tabard"))
    configuration = system.run("tabard", "config", "--set", "herald.location=1").stdout
    assert 'port = "/dev/tabard-sync"' in configuration
    assert 'power = "rfkill"' in configuration


def test_an_upgrade_keeps_settings_and_records(system: System) -> None:
    """An upgrade keeps the changed configuration and the records. It removes updates of the agent."""
    system.install(package("tabard", EARLIER))
    settings = system.folder / "etc/tabard/tabard.toml"
    settings.write_text(settings.read_text() + "\n# mine\n")
    recorded(system)
    system.install(package("tabard"))
    assert settings.read_text().endswith("# mine\n")
    assert all((system.folder / name).read_text() == name for name in STATE)
    assert not any((system.folder / name).exists() for name in UPDATES)
    assert system.run("dpkg-query", "-W", "-f=${Version}", "tabard").stdout == VERSION


def test_removal_keeps_settings_and_records(system: System) -> None:
    """After a removal the settings are there for another installation, and the program is not."""
    before = system.files()
    system.install(package("tabard"))
    recorded(system)
    system.run("apt-get", "remove", "--yes", "tabard")
    left = system.files() - before
    assert not (system.folder / "usr/bin/tabard").exists()
    assert left == {*STATE, *UPDATES, "var/lib/tabard", "etc/tabard/tabard.toml"} | {
        f"etc/systemd/system/multi-user.target.wants/{unit}" for unit in ("tabard.service", "tabard-panel.service")
    }


def test_a_purge_leaves_only_records(system: System) -> None:
    """A purge removes the settings too, those of `tabard setup` among them. It keeps log and keys, and prints their folder."""
    before = system.files()
    system.install(package("tabard", EARLIER))
    system.install(package("tabard"))
    recorded(system)
    system.run("tabard", "setup", "--venue-number", "7")
    printed = system.run("apt-get", "purge", "--yes", "tabard").stdout
    assert system.files() - before == {*STATE, "var/lib/tabard"}
    assert before - system.files() == set()
    assert "/var/lib/private/tabard" in printed


def test_the_host_tool_runs_without_swift(system: System) -> None:
    """tabardctl runs on a system that has no Swift, and makes keys and a QR code."""
    system.install(package("tabardctl"))
    assert system.run("tabardctl", "version").stdout == f"tabardctl {VERSION}\n"
    assert "opening key" in system.run("tabardctl", "keys", "new", "--directory", "/root/keys").stdout
    assert "conformance" in system.run("tabardctl", "--help").stdout
    system.run("tabardctl", "payload", "fixed", "--country", "826", "--state", "1", "--client", "5", "--svg", "/root/code.svg")
    assert (system.folder / "root/code.svg").read_text().startswith("<")


def test_a_purge_of_the_host_tool_leaves_nothing(system: System) -> None:
    """Nothing of tabardctl is left after an installation, an upgrade and a purge."""
    before = system.files()
    system.install(package("tabardctl", EARLIER))
    system.install(package("tabardctl"))
    system.run("apt-get", "purge", "--yes", "tabardctl")
    assert system.files() == before
